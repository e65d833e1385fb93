/** Reason for refusing a change of shared rows; the text follows the name of the row. */
export const platformOnlyReason = '由平台统一管理，只有数据范围为“全部项目”的用户可以更改'
const foreignProjectsReason = '也用于不属于您的项目，只有数据范围包含这些项目的用户可以更改'

/** Returns why a user may not change a row of these projects; a row without projects belongs to the platform. */
export function validateOwnership(
  scope: 'all' | number[],
  projectIds: number[],
): string | undefined {
  if (scope === 'all') return undefined
  if (projectIds.length === 0) return platformOnlyReason
  return projectIds.every((id) => scope.includes(id)) ? undefined : foreignProjectsReason
}
