// The first file of a thread. Plain JavaScript, so that the compile cache is on before the first TypeScript is read:
// a thread that strips types itself takes about 30 MB more.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { resolveNeighboursAtOnce } from './neighbours.js'

const { module, compileCache } = workerData
if (compileCache) enableCompileCache(compileCache)
// Where a thread has a priority of its own, requests come first: on one core the two share it.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
resolveNeighboursAtOnce()
await import(module)
if (compileCache) flushCompileCache()
