import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from './listen'
import { readSettings } from './settings'
import { writeKeys } from './site/signature'

process.env.SCRYPT_LOG_N = '10'
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'iot-listen-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('settings', () => {
  it('report each wrong value on its own line', () =>
    expect(() =>
      readSettings({ PORT: 'x', DATABASE_URL: 'mysql://a', ADMIN_PASSWORD: 'short' }),
    ).toThrow(/PORT 须为端口号\nDATABASE_URL 须形如 .*\nADMIN_PASSWORD：密码至少 8 位/))
  it('have defaults', () =>
    expect(readSettings({ PORT: '' })).toMatchObject({
      port: 8080,
      mqttPort: 1883,
      logLevel: 'warn',
    }))
  it('bind HTTP and MQTT to this machine unless HOST or MQTT_HOST is set', () => {
    const readHosts = (environment: Record<string, string>) => {
      const { host, mqttHost } = readSettings(environment)
      return { host, mqttHost }
    }
    expect(readHosts({})).toEqual({ host: 'localhost', mqttHost: 'localhost' })
    expect(readHosts({ HOST: '0.0.0.0' })).toEqual({ host: '0.0.0.0', mqttHost: '0.0.0.0' })
    expect(readHosts({ MQTT_HOST: '::' })).toEqual({ host: 'localhost', mqttHost: '::' })
  })
  it('accept only a known log level', () => {
    expect(readSettings({ LOG_LEVEL: 'info' })).toMatchObject({ logLevel: 'info' })
    expect(() => readSettings({ LOG_LEVEL: 'loud' })).toThrow('LOG_LEVEL 须为 trace、debug、info')
  })
  it('enable TLS only with a certificate and its key', () => {
    expect(() => readSettings({ MQTT_TLS_PORT: '8883', MQTT_CERTIFICATE: '/nowhere.pem' })).toThrow(
      'MQTT_CERTIFICATE 须为可读取的文件',
    )
    expect(() => readSettings({ MQTT_WSS_PORT: '8884' })).toThrow(
      'MQTT_WSS_PORT 需要 MQTT_CERTIFICATE 和 MQTT_KEY',
    )
    const file = __filename
    expect(
      readSettings({
        MQTT_TLS_PORT: '8883',
        MQTT_CERTIFICATE: file,
        MQTT_KEY: file,
        MQTT_CONNECTIONS_PER_ADDRESS: '300',
      }),
    ).toMatchObject({
      mqttTlsPort: 8883,
      mqttSecure: { certificate: file, key: file },
      mqttLimits: { connectionsPerAddress: 300 },
    })
  })
  it('accept a public key for signed builds and refuse a private one', () => {
    const key = join(folder, 'release')
    const RELEASE_PUBLIC_KEY = writeKeys(key)
    expect(() => readSettings({ RELEASE_PUBLIC_KEY: key })).toThrow(
      `RELEASE_PUBLIC_KEY：${key} 是私钥，这里要公钥`,
    )
    expect(readSettings({ RELEASE_PUBLIC_KEY }).site.key?.type).toBe('public')
  })
})

describe('listen', () => {
  const baseSettings = { host: '127.0.0.1', port: 0, empty: true }
  it('refuses a data folder that is not writable', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(listen({ ...baseSettings, data: join(folder, 'file') })).rejects.toThrow(
      /^数据目录不可写：/,
    )
  })
  it('refuses a database URL without a server', () =>
    expect(
      listen({ ...baseSettings, data: folder, databaseUrl: 'postgresql://a:b@127.0.0.1:9/x' }),
    ).rejects.toThrow('无法连接数据库（DATABASE_URL）：ECONNREFUSED'))
  it('opens, prints the first password once, writes one log, refuses a second process and a used port, and closes', async () => {
    const data = join(folder, 'data')
    const platform = await listen({ ...baseSettings, data, logLevel: 'error' })
    expect(platform.adminPassword).toHaveLength(12)
    expect(await (await fetch(`${platform.url}/healthz`)).json()).toMatchObject({
      status: 'ok',
      database: { kind: 'embedded', note: expect.stringContaining('断电') },
    })
    await platform.close()

    const portHolder = createServer().listen(0, '127.0.0.1')
    await once(portHolder, 'listening')
    const { port } = portHolder.address() as AddressInfo
    await expect(listen({ ...baseSettings, data, port })).rejects.toThrow(`端口 ${port} 已被占用`)
    const restartedPlatform = await listen({ ...baseSettings, data })
    expect(restartedPlatform.adminPassword).toBeUndefined()
    await restartedPlatform.close()
    portHolder.close()
  })

  const isAnswering = (address: string, port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, address)
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  const interfaces = Object.values(networkInterfaces()).flatMap(
    (interfaceList) => interfaceList ?? [],
  )
  const externalInterfaces = interfaces.filter(
    (networkInterface) => !networkInterface.internal && networkInterface.family === 'IPv4',
  )
  const hasIpv6 = interfaces.some((networkInterface) => networkInterface.address === '::1')
  const getPort = (url: string) => Number(new URL(url).port)

  it('listens on both loopback addresses by default and prints them', async () => {
    const platform = await listen({
      ...baseSettings,
      host: 'localhost',
      data: join(folder, 'data'),
      mqttPort: 0,
      mqttHost: 'localhost',
    })
    const loopbackHosts = ['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])]
    const [httpPort, mqttPort] = [getPort(platform.urls[0]!), getPort(platform.mqttUrls[0]!)]
    expect(platform.urls).toEqual(
      loopbackHosts.map((loopbackHost) => `http://${loopbackHost}:${httpPort}`),
    )
    expect(platform.mqttUrls).toEqual(
      loopbackHosts.map((loopbackHost) => `mqtt://${loopbackHost}:${mqttPort}`),
    )
    for (const url of platform.urls) expect((await fetch(`${url}/healthz`)).status).toBe(200)
    for (const url of platform.mqttUrls)
      expect(await isAnswering(new URL(url).hostname.replace(/[[\]]/g, ''), mqttPort)).toBe(true)
    for (const { address } of externalInterfaces)
      for (const port of [httpPort, mqttPort]) expect(await isAnswering(address, port)).toBe(false)
    await platform.close()
    for (const address of ['127.0.0.1', '::1'])
      for (const port of [httpPort, mqttPort]) expect(await isAnswering(address, port)).toBe(false)
  })
  it('listens on every address it prints when bound to all, and refuses one that is not local', async () => {
    const data = join(folder, 'data')
    const platform = await listen({
      ...baseSettings,
      host: '0.0.0.0',
      data,
      mqttPort: 0,
      mqttHost: '::',
    })
    expect(platform.urls[0]).toMatch(/^http:\/\/127\.0\.0\.1:/)
    for (const url of platform.urls) expect((await fetch(`${url}/healthz`)).status).toBe(200)
    for (const { address } of externalInterfaces)
      expect(platform.urls).toContain(`http://${address}:${getPort(platform.urls[0]!)}`)
    expect(platform.mqttUrls.length).toBeGreaterThanOrEqual(platform.urls.length)
    await platform.close()

    const foreignHost = '192.0.2.1'
    const refusal = `本机没有这个地址，不能在上面监听：${foreignHost}（HOST 或 --host）`
    await expect(listen({ ...baseSettings, host: foreignHost, data })).rejects.toThrow(refusal)
    await expect(
      listen({ ...baseSettings, data, mqttPort: 0, mqttHost: foreignHost }),
    ).rejects.toThrow(refusal)
  })
})
