import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { productVersion } from 'server/src/core/version'
import { z } from 'zod'
import { root } from '../root'
import { createBuildInfo } from './about'

const readVersion = (folder: string) =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))).version

it('names one version in every package and in the changelog', () => {
  const [workspace] = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').split('catalog:')
  const folders = [...workspace!.matchAll(/^ {2}- ([\w-]+)$/gm)].map(([, folder]) => folder!)
  expect(folders).toContain('server')
  for (const folder of ['.', ...folders])
    expect([folder, readVersion(folder)]).toEqual([folder, productVersion])
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${productVersion}\n`)
})

it('lists packages of server and console once, and none that only builds or tests', () => {
  const { packages } = createBuildInfo()
  const names = packages.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'antd', 'react', 'zod', 'pg']))
  for (const name of ['webpack', 'tsx', 'jest', 'typescript', 'playwright-core', '@iot/shared'])
    expect(names).not.toContain(name)
  expect(packages.find(({ name }) => name === 'fastify')).toMatchObject({ licence: 'MIT' })
  const keys = packages.map(({ name, version }) => `${name}@${version}`)
  expect(new Set(keys).size).toBe(keys.length)
})
