import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { Page } from '../parts/page.tsx'

export function NotFoundPage() {
  return (
    <Page title="There is nothing here" description="The address may have a typing error, or the page has moved.">
      <div>
        <Button component={Link} href="/">
          Go to the start
        </Button>
      </div>
    </Page>
  )
}
