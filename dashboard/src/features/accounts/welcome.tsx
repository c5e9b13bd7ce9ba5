import './welcome.css'
import { Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Logo } from '../../frame/logo.tsx'

interface WelcomeProps {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Other ways to go, below the card. */
  below?: ReactNode
}

/** The pages before the dashboard: one card in the middle. */
export function Welcome({ title, description, children, below }: WelcomeProps) {
  useEffect(() => {
    document.title = `${title} · Petstore`
  }, [title])

  return (
    <main className="welcome">
      <div className="welcome-column">
        <div className="welcome-brand">
          <Logo size={34} />
          Petstore
        </div>
        <div className="card welcome-card">
          <Stack gap="lg">
            <Stack gap={4}>
              <Title order={1}>{title}</Title>
              {description !== undefined && <Text c="dimmed">{description}</Text>}
            </Stack>
            {children}
          </Stack>
        </div>
        {below !== undefined && <div className="welcome-below">{below}</div>}
      </div>
    </main>
  )
}
