/** Who may change rows that every project shares; after the name of what is to be changed. */
export const platformOnly = '由平台统一管理，只有数据范围为“全部项目”的用户可以更改'
const notAllMine = '也用于不属于您的项目，只有数据范围包含这些项目的用户可以更改'

/** Why somebody may not change a row that is for these projects; one that names none belongs to the platform. */
export function refuseOwner(scope: 'all' | number[], projectIds: number[]): string | undefined {
  if (scope === 'all') return undefined
  if (projectIds.length === 0) return platformOnly
  return projectIds.every((id) => scope.includes(id)) ? undefined : notAllMine
}
