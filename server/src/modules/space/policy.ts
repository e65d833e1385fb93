import type { space } from '../../tables/space'

/** Returns the address of a floor's plan. */
export const getPlanUrl = ({
  planHash,
  planFile,
}: Pick<typeof space.$inferSelect, 'planHash' | 'planFile'>) =>
  planFile
    ? `/v1/upload/file/${planFile}`
    : planHash === null
      ? null
      : `/v1/floor-plan/${planHash}.svg`
