import type { Deploy, DeployFiles, DeployResult, DeployWish, IncompleteDeploy } from '../projects.ts'

/** What a project publishes. */
export interface DeployRoutes {
  'GET /projects/{project}/deploys': { answer: Deploy[] }
  'GET /projects/{project}/deploys/{deploy}': { answer: Deploy }
  'GET /projects/{project}/deploys/{deploy}/files': { answer: DeployFiles }
  'POST /projects/{project}/deploys': {
    query: DeployWish
    body: { files: { path: string; sha256: string; bytes: number }[] }
    answer: DeployResult | IncompleteDeploy
  }
  'POST /projects/{project}/deploys/archive': { query: DeployWish; body: Blob; answer: DeployResult }
  'PUT /projects/{project}/blobs/{sha256}': { body: Blob; answer: void }
  'DELETE /projects/{project}/deploys/{deploy}': { answer: void }
  'POST /projects/{project}/deploys/{deploy}/activate': { answer: Deploy }
}
