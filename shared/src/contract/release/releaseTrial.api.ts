import { defineApi } from '../endpoint'
import type { releaseTrialSchemas } from './releaseTrial.schema'

export const releaseTrialApi = defineApi<typeof releaseTrialSchemas>({
  /** Starts a trial of an unpublished build in one browser: its next page may load code from a developer's machine. */
  start: {
    method: 'POST',
    path: '/v1/release/trial',
    title: '试用开发中的版本',
    permission: 'system:release:override',
  },
})
