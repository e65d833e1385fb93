/** Beyond this many subjects of one rule and project within two minutes, incidents are grouped by place. */
export const maxSingleIncidents = 10
/** Beyond this many floors, one incident stands for the project. */
export const maxFloorIncidents = 5

export type DueSubject = {
  ruleId: string
  projectId: number
  subjectKey: string
  floorId: string | null
}
export type OpenCounts = {
  /** Incidents of single devices that were opened within two minutes. */
  recent: number
  /** Subject keys of the group incidents that are open. */
  groupKeys: ReadonlySet<string>
}
export type SubjectGroup<S> = { key: string; subjects: S[] }

/**
 * Divides the due subjects of one rule and project into incidents: each its own, or one per floor in a storm, or one for
 * the project.
 */
export function groupSubjects<S extends DueSubject>(
  subjects: S[],
  { recent, groupKeys }: OpenCounts,
): SubjectGroup<S>[] {
  const [first] = subjects
  if (!first) return []
  const projectKey = `project:${first.projectId}`
  const toFloorKey = ({ floorId }: S) => (floorId ? `floor:${floorId}` : projectKey)
  const isStorm = subjects.length + recent > maxSingleIncidents
  const getPlaceKey = (subject: S) => {
    if (groupKeys.has(projectKey)) return projectKey
    const key = toFloorKey(subject)
    return groupKeys.has(key) || isStorm ? key : subject.subjectKey
  }
  const floorKeys = new Set(subjects.map(getPlaceKey))
  const openFloorCount = [...groupKeys].filter((key) => key.startsWith('floor:')).length
  const newFloorCount = [...floorKeys].filter(
    (key) => key.startsWith('floor:') && !groupKeys.has(key),
  ).length
  const isWholeProject = isStorm && openFloorCount + newFloorCount > maxFloorIncidents
  const groups = new Map<string, S[]>()
  for (const subject of subjects) {
    const placeKey = getPlaceKey(subject)
    const key = isWholeProject && !groupKeys.has(placeKey) ? projectKey : placeKey
    const group = groups.get(key)
    if (group) group.push(subject)
    else groups.set(key, [subject])
  }
  return [...groups].map(([key, groupedSubjects]) => ({ key, subjects: groupedSubjects }))
}
