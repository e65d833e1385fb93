import { z } from 'zod'
import { endpoint } from './endpoint'

export const releaseTrialApi = {
  /** A build that is not published is tried in one browser: its next page may load code from a developer's machine. */
  start: endpoint({
    method: 'POST',
    path: '/v1/release/trial',
    title: '试用开发中的版本',
    permission: 'system:release:override',
    input: z.object({}),
    /** The cookie `devRemote`, by which a page that is asked for is known to be this session's. */
    output: z.object({ proof: z.string() }),
  }),
}
