import { createInstance } from '@module-federation/runtime'
import sharePlugin, { repairShares } from './sharePlugin'

const shareConfig = { singleton: true, requiredVersion: '^6.6.0' }
const createShare = (version: string, get: () => Promise<() => unknown>) => ({
  version,
  scope: 'default',
  shareConfig,
  get,
})

let failures = 0
let innerLoads = 0
const host = createInstance({
  name: 'host',
  remotes: [],
  shareStrategy: 'loaded-first',
  shared: {
    antd: createShare('6.6.8', async () => () => 'of the host'),
    broken: createShare('6.6.8', async () => {
      if (failures++ === 0) throw new Error('offline')
      return () => 'loaded'
    }),
    outer: createShare('6.6.8', async () => {
      innerLoads++
      return () => 'outer'
    }),
  },
  plugins: [sharePlugin()],
})

function createRemote(name: string, version: string) {
  const remote = createInstance({
    name,
    remotes: [],
    shareStrategy: 'loaded-first',
    shared: { antd: createShare(version, async () => () => `of ${name}`) },
  })
  remote.initShareScopeMap('default', host.shareScopeMap.default!)
  return remote
}

it("uses the host's module even if a remote has a higher patch, and keeps the host as its owner", async () => {
  const remote = createRemote('remote', '6.6.9')
  const load = await remote.loadShare('antd')
  expect(load && load()).toBe('of the host')
  expect(host.shareScopeMap.default!.antd!['6.6.8']!.from).toBe('host')
})

it('loads a shared module again after a failure, and what loaded modules need themselves', async () => {
  await host.loadShare('outer')
  await repairShares()
  expect(innerLoads).toBe(1)
  await expect(host.loadShare('broken')).rejects.toThrow('offline')
  await repairShares()
  expect(innerLoads).toBe(2)
  const load = await host.loadShare('broken')
  expect(load && load()).toBe('loaded')
})
