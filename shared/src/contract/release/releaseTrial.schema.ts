import * as z from '../zod'

export const releaseTrialSchemas = {
  start: {
    input: z.object({}),
    /** Value of the cookie `devRemote`, which proves that a page request belongs to this session. */
    output: z.object({ proof: z.string() }),
  },
}
