// The first file of a thread. Plain JavaScript, so that the compile cache is on before the first TypeScript is read:
// a thread that strips types itself takes about 30 MB more.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { resolveNeighboursAtOnce } from './neighbours.js'

const { module, compileCache } = workerData
if (compileCache) enableCompileCache(compileCache)
resolveNeighboursAtOnce()
await import(module)
// Where a thread has a priority of its own, requests come first: on one core the two share it. Not before it is loaded:
// on a machine that is busy with other things that took longer than whoever has asked it waits.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
if (compileCache) flushCompileCache()
