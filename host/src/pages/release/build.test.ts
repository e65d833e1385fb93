import type { AppBuild } from '@iot/shared/contract/release/releaseCenter.schema'
import { findFailingBuilds } from './build'

const createBuild = (build: string, sessionCount: number, crashed: number) =>
  ({ build, used: sessionCount, crashed, kept: true }) as AppBuild
const createRemote = (...builds: AppBuild[]) => ({
  build: 'now',
  previous: 'former',
  canary: null,
  builds,
})

it('offers the former build when the current one fails more often', () => {
  expect(
    findFailingBuilds(createRemote(createBuild('now', 40, 2), createBuild('former', 40, 0))),
  ).toMatchObject([{ build: 'now', to: 'former' }])
})
it('offers no build that failed more often', () => {
  expect(
    findFailingBuilds(createRemote(createBuild('now', 40, 1), createBuild('former', 3, 3))),
  ).toEqual([])
})
