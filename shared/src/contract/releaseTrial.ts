import { z } from 'zod'
import { endpoint } from './endpoint'

export const releaseTrialApi = {
  /** Starts a trial of an unpublished build in one browser: its next page may load code from a developer's machine. */
  start: endpoint({
    method: 'POST',
    path: '/v1/release/trial',
    title: '试用开发中的版本',
    permission: 'system:release:override',
    input: z.object({}),
    /** Value of the cookie `devRemote`, which proves that a page request belongs to this session. */
    output: z.object({ proof: z.string() }),
  }),
}
