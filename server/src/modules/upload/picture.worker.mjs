// The file is plain JavaScript, because a worker thread starts without the loader that compiles TypeScript.
import { parentPort, workerData } from 'node:worker_threads'
import { examine } from './examine.mjs'

const { bytes, limits } = workerData
parentPort.postMessage(await examine(Buffer.from(bytes), limits))
