import { releaseApi } from '../contract/releaseCenter'
import { releaseTrialApi } from '../contract/releaseTrial'
import { area } from './area'

/** In the menu of the system, and yet the host's own: it must open when a remote does not. */
export const release = area('system.release', {
  title: '发布管理',
  icon: 'RocketOutlined',
  api: [releaseApi, releaseTrialApi],
})
