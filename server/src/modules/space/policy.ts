import type { space } from '../../tables/space'

/** The address of a floor's picture. */
export const planOf = ({
  planHash,
  planFile,
}: Pick<typeof space.$inferSelect, 'planHash' | 'planFile'>) =>
  planFile
    ? `/v1/upload/file/${planFile}`
    : planHash === null
      ? null
      : `/v1/floor-plan/${planHash}.svg`
