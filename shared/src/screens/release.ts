import { releaseApi } from '../contract/release/releaseCenter.api'
import { releaseTrialApi } from '../contract/release/releaseTrial.api'
import { area } from './area'

/** The menu entry is in the system area, but the screen belongs to the host: it must open even if a remote does not. */
export const release = area('system.release', {
  title: '发布管理',
  icon: 'RocketOutlined',
  api: [releaseApi, releaseTrialApi],
})
