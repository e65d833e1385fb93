import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '@iot/shared/contract/endpoint'

const folder = join(import.meta.dirname, '../../../../shared/src/contract')

/** Returns every endpoint that a file of the contract exports, whether or not the server serves it. */
export async function listContractEndpoints(): Promise<Endpoint[]> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules = await Promise.all(
    names.map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>),
  )
  const endpoints = modules
    .flatMap((module) => Object.values(module))
    .flatMap((value) =>
      isEndpoint(value) ? [value] : Object.values(value ?? {}).filter(isEndpoint),
    )
  return [...new Set(endpoints)]
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  'path' in value &&
  'input' in value
