import { inArray } from 'drizzle-orm'
import { alarmIncident as table } from '../../tables/alarm'

export type IncidentRow = typeof table.$inferSelect
export type Scope = 'all' | number[]

/** Incidents of the platform belong to no project; those who see all projects see them. */
export const whereVisible = (scope: Scope) =>
  scope === 'all' ? undefined : inArray(table.projectId, scope)
