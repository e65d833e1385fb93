import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api, ApiSchemas } from '@iot/shared/contract/endpoint'
import type { ServedEndpoint } from './serve'

const folder = join(import.meta.dirname, '../../../../shared/src/contract')

/** Returns every endpoint that a file of the contract exports, with its schemas, whether or not the server serves it. */
export async function listContractEndpoints(): Promise<ServedEndpoint[]> {
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.api.ts'))
    .map((name) => name.slice(0, -'.api.ts'.length))
  const endpoints = await Promise.all(names.map(listEndpoints))
  return endpoints.flat()
}

async function listEndpoints(name: string): Promise<ServedEndpoint[]> {
  const [apis, schemas] = (await Promise.all([
    import(join(folder, `${name}.api.ts`)),
    import(join(folder, `${name}.schema.ts`)),
  ])) as [Record<string, Api<ApiSchemas>>, Record<string, ApiSchemas>]
  return Object.entries(apis).flatMap(([apiName, api]) => {
    const apiSchemas = schemas[apiName.replace(/Api$/, 'Schemas')]!
    return Object.entries(api).map(([key, endpoint]) => ({ ...endpoint, ...apiSchemas[key]! }))
  })
}
