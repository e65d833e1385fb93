import { execFile } from 'node:child_process'
import { readFile, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { Site } from '../server/src/site/releases'
import { createTemporaryFolder, getBuild } from './federation/builds'
import { copyWorkspace } from './federation/workspaceCopy'
import { expect, test } from './fixtures'

test.describe.configure({ timeout: 900_000 })

test('builds the same bytes from the same sources in another folder', async () => {
  const originalDist = await getBuild('enterprise')
  const copyFolder = await copyWorkspace('another-folder', ['remote-enterprise'])
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'scripts/build.ts', 'enterprise', '--without-types'],
    { cwd: copyFolder },
  )
  const readRecord = (dist: string) => readFile(join(dist, 'release.json'), 'utf8')
  const copyDist = join(copyFolder, 'remote-enterprise/dist', basename(originalDist))
  // Equal records mean equal files, because the record holds the hash of each file.
  expect(JSON.parse(await readRecord(copyDist))).toEqual(JSON.parse(await readRecord(originalDist)))
  expect(await readRecord(copyDist)).toBe(await readRecord(originalDist))
  // The archives of types may differ in the time of writing, so the record does not hold their hash.
  const site = new Site(await createTemporaryFolder('site-'))
  await site.publish(originalDist)
  expect((await site.publish(copyDist)).revision).toBe(1)
  const [build] = await site.builds('enterprise')
  expect(await readdir(join(site.folder, 'remotes/enterprise', build!))).toContain('@mf-types.zip')
  await rm(copyFolder, { recursive: true })
})
