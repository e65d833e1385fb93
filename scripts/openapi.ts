import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { listContractEndpoints } from 'server/src/core/http/contractEndpoints'
import { buildOpenApi } from 'server/src/core/http/openapi'
import { root } from './root.ts'

/** Writes the OpenAPI document of the contract to `server/dist/openapi.json`; a running server serves the same. */
export async function writeOpenApi(): Promise<string> {
  const file = join(root, 'server/dist/openapi.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(buildOpenApi(await listContractEndpoints()), null, 1)}\n`)
  return file
}
