import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { sql } from 'drizzle-orm'
import { waitUntil } from '../until'
import { prepareTestPostgres } from './postgres/testing'
import { testApp, type TestApp } from '../../testing'
import { log } from '../logging/log'

/** A small file system in memory that the test can fill, if the machine allows mounting one. */
const disk = mkdtempSync(join(tmpdir(), 'iot-full-'))
function mountTmpfs() {
  if (process.platform !== 'linux') return 'only Linux mounts a disk in memory'
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1)
  }
}
const skipReason = mountTmpfs()
afterAll(() => {
  if (skipReason === undefined) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

// A small disk can be mounted by root only; elsewhere the report names what prevented it.
if (skipReason !== undefined) it.skip(`a disk cannot be filled here: ${skipReason}`, () => {})
else
  describe('a full disk', () => {
    let app: TestApp
    let errorSpy: jest.SpyInstance
    beforeAll(async () => {
      const folder = join(disk, 'database')
      prepareTestPostgres(folder)
      app = await testApp({ database: { kind: 'embedded', folder } })
      await app.as('admin').call(manufacturerApi.page, {})
      errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})
    })
    afterAll(async () => {
      errorSpy.mockRestore()
      await app.close()
    })

    const ballast = join(disk, 'ballast')
    function fillDisk() {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    }
    const storedCodes: string[] = []
    let draftCount = 0
    /** Returns "ok" if the row was stored, otherwise the message of the refusal. */
    async function createManufacturer() {
      const code = `full-${draftCount++}`
      const draft = {
        name: code,
        shortName: '',
        code,
        creditCode: '',
        contact: '',
        phone: '',
        email: '' as const,
        areaCode: '440305',
        address: '',
        website: '' as const,
        logo: '',
        remark: '满'.repeat(200),
        status: 'enabled' as const,
      }
      try {
        await app.as('admin').call(manufacturerApi.create, draft)
        storedCodes.push(code)
        return 'kept'
      } catch (error) {
        const { status, msg } = error as { status: number; msg: string }
        return `${status} ${msg}`
      }
    }
    const refusal = '507 磁盘空间不足，暂时不能保存，请联系管理员清理'
    const getHealth = async () => (await app.app.inject('/healthz')).json<{ status: string }>()
    async function expectRecovery() {
      rmSync(ballast)
      await waitUntil(createManufacturer, (answer) => answer === 'kept', 90_000)
      expect(await getHealth()).toMatchObject({ status: 'ok' })
      const { rows } = await app.app.db.execute<{ code: string }>(
        sql`select code from manufacturer`,
      )
      expect(rows.map(({ code }) => code)).toEqual(expect.arrayContaining(storedCodes))
    }

    it('fails every write with a readable message, shows in /healthz, is logged once a second, and recovers', async () => {
      fillDisk()
      const answers = new Set<string>()
      const startTime = performance.now()
      while (!answers.has(refusal)) answers.add(await createManufacturer())
      for (let n = 0; n < 50; n++) answers.add(await createManufacturer())
      expect([...answers].filter((answer) => answer !== 'kept')).toEqual([refusal])
      expect(await getHealth()).toMatchObject({
        status: 'full',
        message: expect.stringContaining('磁盘空间不足'),
      })
      const lines = errorSpy.mock.calls.map(([, line]) => String(line))
      expect(lines.some((line) => line.startsWith('磁盘空间不足：'))).toBe(true)
      expect(lines.length).toBeLessThanOrEqual((performance.now() - startTime) / 1000 + 2)
      await expectRecovery()
    })

    it('recovers after PostgreSQL cannot write its log and exits', async () => {
      fillDisk()
      const writeAheadQuery = sql`select pg_switch_wal(), txid_current()`
      const answers = new Set<string>()
      while (![...answers].some((answer) => answer !== 'kept')) {
        await app.app.db.execute(writeAheadQuery).catch(() => {})
        answers.add(await createManufacturer())
      }
      for (let n = 0; n < 20; n++) answers.add(await createManufacturer())
      expect([...answers].filter((answer) => answer !== 'kept')).toEqual([refusal])
      expect(await getHealth()).toMatchObject({ status: 'full' })
      await expectRecovery()
    })
  })
