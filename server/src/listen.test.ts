import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from './listen'
import { readSettings } from './settings'

process.env.SCRYPT_LOG_N = '10'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'iot-listen-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('settings', () => {
  it('name each wrong value in a line of its own', () =>
    expect(() =>
      readSettings({ PORT: 'x', DATABASE_URL: 'mysql://a', ADMIN_PASSWORD: 'short' }),
    ).toThrow(/PORT 须为端口号\nDATABASE_URL 须形如 .*\nADMIN_PASSWORD：密码至少 8 位/))
  it('have defaults', () =>
    expect(readSettings({ PORT: '' })).toMatchObject({ port: 8080, mqttPort: 1883 }))
})

describe('listen', () => {
  const base = { host: '127.0.0.1', port: 0, empty: true }
  it('refuses a data folder it cannot write', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(listen({ ...base, data: join(folder, 'file') })).rejects.toThrow(
      /^数据目录不可写：/,
    )
  })
  it('refuses a database nobody serves', () =>
    expect(
      listen({ ...base, data: folder, databaseUrl: 'postgresql://a:b@127.0.0.1:9/x' }),
    ).rejects.toThrow('无法连接数据库（DATABASE_URL）：ECONNREFUSED'))
  it('opens, says the first password once, refuses a second process and a taken port, and closes', async () => {
    const data = join(folder, 'data')
    const first = await listen({ ...base, data })
    expect(first.adminPassword).toHaveLength(12)
    expect(await (await fetch(`${first.url}/healthz`)).json()).toMatchObject({
      status: 'ok',
      database: { kind: 'embedded', note: expect.stringContaining('断电') },
    })
    await first.close()

    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const started = performance.now()
    await expect(listen({ ...base, data, port })).rejects.toThrow(`端口 ${port} 已被占用`)
    const again = await listen({ ...base, data })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(again.adminPassword).toBeUndefined()
    await again.close()
    other.close()
  })
})
