import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { computeHash } from '../server/src/site/siteFiles'
import { startFaultProxy, type Fault } from './faults'

const content = '{"build":"1"}'
const integrity = computeHash(content)
let server: Server
let proxy: Awaited<ReturnType<typeof startFaultProxy>>
let fetchFile: typeof import('../host/src/federation/files').fetchFile

beforeAll(async () => {
  server = createServer((_, answer) => {
    answer
      .writeHead(200, { 'content-type': 'application/json', 'content-length': content.length })
      .end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await startFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  // The module reads its deadline and its address from the page.
  Object.assign(globalThis, {
    location: { href: proxy.origin },
    document: { querySelector: () => ({ content: '700' }) },
  })
  ;({ fetchFile } = await import('../host/src/federation/files'))
  jest.spyOn(Math, 'random').mockReturnValue(0)
})
afterAll(async () => {
  await proxy.close()
  server.close()
})

const isJson = (text: string) => text.endsWith('}')

it.each<{
  fault: Fault
  reason: string
  attempts: number
  integrity?: string
  isWhole?: (text: string) => boolean
}>([
  { fault: '404', reason: 'updated: 文件不存在', attempts: 1 },
  { fault: '500', reason: 'network: 服务器回答 500', attempts: 3 },
  { fault: '507', reason: 'network: 服务器回答 507', attempts: 3 },
  { fault: 'html', reason: 'updated: 服务器回答的不是程序文件', attempts: 3 },
  { fault: 'mistyped', reason: 'updated: 服务器回答的不是程序文件', attempts: 3 },
  // The hash is compared by a second request, which Node answers without a cache.
  { fault: 'tampered', integrity, reason: 'script: 文件内容与发布记录不符', attempts: 6 },
  { fault: 'truncated', integrity, reason: 'script: 文件内容与发布记录不符', attempts: 6 },
  { fault: 'truncated', isWhole: isJson, reason: 'network: 文件不完整', attempts: 3 },
  { fault: 'hang', reason: 'network: 0.7 秒内没有回答', attempts: 1 },
])(
  'refuses a file that meets $fault with “$reason”, and fetches it afterwards',
  async ({ fault, reason, attempts, ...checks }) => {
    const path = `/${fault}/${attempts}.json`
    const countRequest = jest.fn(() => true)
    const repair = proxy.fault((requested) => requested === path && countRequest(), fault)
    const url = proxy.origin + path
    const options = { type: /json/, ...checks }
    await expect(fetchFile(url, options)).rejects.toThrow(`${reason} (${url})`)
    expect(countRequest).toHaveBeenCalledTimes(attempts)
    repair()
    expect(await fetchFile(url, options)).toBe(content)
  },
)
