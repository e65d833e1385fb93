import type { DeployedBuild, Pointer } from '@iot/shared/contract/release/release.schema'
import { withCanaries } from './canary'

const build = (build: string) => ({ build, record: `sha384-${build}`, needs: {} })
const all: DeployedBuild = { ...build('aaaa1'), previous: 'aaaa0' }
const pointer = (share: number, canary = 'aaaa2'): Pointer => ({
  revision: 1,
  host: null,
  remotes: { system: { ...all, canary: { ...build(canary), share } } },
})
const resolveRemote = (share: number, canary?: string) =>
  withCanaries(pointer(share, canary)).remotes.system!

beforeEach(() => localStorage.clear())

test('a browser within the share takes the canary, with the stable build as its fallback', () => {
  expect(resolveRemote(99.999)).toMatchObject({
    ...build('aaaa2'),
    previous: 'aaaa1',
    previousRecord: 'sha384-aaaa1',
  })
  expect(resolveRemote(0)).toMatchObject(all)
  expect(withCanaries({ revision: 1, host: null, remotes: { system: all } }).remotes.system).toBe(
    all,
  )
})

test('the number of browsers matches the share, each decides consistently, and another build draws others', () => {
  const draws = Array.from({ length: 100 }, (_, draw) => draw)
  const ofShare = (canary: string) =>
    draws.filter((draw) => {
      localStorage.setItem('draw', String(draw))
      expect(resolveRemote(20, canary).build).toBe(resolveRemote(20, canary).build)
      return resolveRemote(20, canary).build === canary
    })
  expect(ofShare('aaaa2')).toHaveLength(20)
  expect(ofShare('6f0c7a12b9e4')).toHaveLength(20)
  expect(ofShare('6f0c7a12b9e4')).not.toEqual(ofShare('aaaa2'))
})

test('a draw is kept', () => {
  const first = resolveRemote(50).build
  for (let again = 0; again < 20; again++) expect(resolveRemote(50).build).toBe(first)
})
