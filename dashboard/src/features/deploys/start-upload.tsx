import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import type { Deploy, DeployResult, DeployWish } from '../../api/deploys.ts'
import { isInDoubt, messageOf } from '../../api/platform.ts'
import { putAbovePages } from '../../parts/above-pages.ts'
import { countText } from '../../parts/count-text.ts'
import { queryClient } from '../../query-client.ts'
import { staySignal } from '../../stay.ts'
import { deployFiles, type Progress } from './deploy-files.ts'
import { readDrop } from './dropped.ts'
import { findLive, sayLive } from './publish-deploy.ts'
import { UploadBar } from './upload-bar.tsx'
import { isUploading, showUploads } from './uploads.ts'

const KeptDeploy = lazy(() => import('./kept-deploy.tsx'))

interface UploadStart {
  /** Of whoever publishes. */
  account: string
  slug: string
  dropped: File[]
  wish: DeployWish
}

/** Goes on whatever page is shown meanwhile, until they sign out. */
export async function startUpload({ account, slug, dropped, wish }: UploadStart): Promise<void> {
  if (isUploading()) return
  const drop = readDrop(dropped)
  if (!drop.ok) return showUploads({ running: null, failure: { account, slug, error: new Error(drop.message), wish } })
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, staySignal()])
  const progress = (now: Progress) =>
    showUploads({ running: { slug, what: drop.what, now, stop: () => controller.abort() }, failure: null })
  progress({ stage: 'reading', share: 0 })
  putAbovePages('upload', <UploadBar />)
  try {
    const former = await findLive(slug)
    const result = await deployFiles({ account, slug, wish, signal, progress }, drop.files)
    showUploads({ running: null, failure: null })
    await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
    tell(slug, result, former)
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError'
    showUploads({ running: null, failure: { account, slug, error: isCancelled ? undefined : error, wish } })
    if (!isCancelled && !location.pathname.endsWith(`/${slug}/deploys`)) {
      const title = isInDoubt(error) ? inDoubtTitle(wish) : 'Nothing was published'
      notifications.show({ color: 'red', title, message: messageOf(error), autoClose: false })
    }
    // Cancelled, too, it may have been done by then.
    void queryClient.invalidateQueries({ queryKey: ['projects', slug] })
  } finally {
    putAbovePages('upload', null)
  }
}

const inDoubtTitle = ({ publish }: DeployWish) =>
  publish === 'no' ? 'The preview may be there' : 'It may be published'

function tell(slug: string, result: DeployResult, former: Deploy | undefined): void {
  const { state, deploy } = result
  if (state === 'kept') {
    return putAbovePages(
      'deploy',
      <Suspense>
        <KeptDeploy slug={slug} result={result} />
      </Suspense>,
    )
  }
  if (state === 'unchanged') {
    return void notifications.show({ message: 'Nothing has changed: exactly these files are published already.' })
  }
  sayLive(slug, `Published: ${countText(deploy.files, 'file is', 'files are')} live now.`, former)
}
