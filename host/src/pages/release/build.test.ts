import type { AreaBuild } from '@iot/shared/contract/releaseCenter'
import { failingBuilds } from './build'

const built = (build: string, used: number, crashed: number) =>
  ({ build, used, crashed, kept: true }) as AreaBuild
const area = (...builds: AreaBuild[]) => ({
  build: 'now',
  previous: 'former',
  canary: null,
  builds,
})

it('offers the build before where the present one fails more often', () => {
  expect(failingBuilds(area(built('now', 40, 2), built('former', 40, 0)))).toMatchObject([
    { build: 'now', to: 'former' },
  ])
})
it('offers no build that was worse', () => {
  expect(failingBuilds(area(built('now', 40, 1), built('former', 3, 3)))).toEqual([])
})
