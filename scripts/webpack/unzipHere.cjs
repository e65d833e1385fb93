/**
 * read-excel-file unzips what is larger than half a megabyte in a worker made of a text. The page's policy forbids that,
 * and the library would wait for the worker for ever.
 */
module.exports = () => `import { unzipSync } from 'fflate'
export default async (bytes) => unzipSync(new Uint8Array(bytes))`
