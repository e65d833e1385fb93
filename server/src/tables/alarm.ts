import type { AlarmSource } from '@iot/shared/contract/alarm/alarmRule.schema'
import type { AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import type { IncidentEventKind, IncidentStatus } from '@iot/shared/contract/alarm/incident.schema'
import type { Status } from '@iot/shared/contract/fields.schema'
import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { uuidv7 } from 'uuidv7'
import { id, rowColumns, time } from './columns'

/** Rules that open incidents. A rule of project 0 applies to all projects. */
export const alarmRule = pgTable(
  'alarm_rule',
  {
    ...rowColumns(),
    projectId: integer().notNull().default(0),
    name: text().notNull(),
    severity: text().$type<AlarmSeverity>().notNull(),
    /** Null means every space, device group and product. */
    spaceId: uuid(),
    groupId: uuid(),
    productId: uuid(),
    source: jsonb().$type<AlarmSource>().notNull(),
    /** The condition must hold this long before an incident is opened. */
    forMinutes: integer().notNull(),
    /** The condition must be over this long before the incident is resolved. */
    recoverMinutes: integer().notNull(),
    status: text().$type<Status>().notNull().default('enabled'),
    description: text().notNull().default(''),
    builtin: boolean().notNull().default(false),
  },
  (table) => [unique('alarm_rule_name').on(table.projectId, table.name)],
)

/**
 * One row per rule and subject whose condition holds, or held until recently. It carries durations across restarts, and
 * it belongs to an incident once that is opened.
 */
export const alarmState = pgTable(
  'alarm_state',
  {
    projectId: integer().notNull(),
    ruleId: uuid().notNull(),
    /** `device:<id>`, or another kind of subject in the same form. */
    subjectKey: text().notNull(),
    /** Null for a subject that is no device. */
    deviceId: uuid(),
    /** The condition holds, or is over while the incident is still open. */
    isMet: boolean().notNull(),
    /** `isMet` has its present value since this time. */
    since: time().notNull(),
    /** Since this time the value is unknown; null while it is known. */
    gapSince: time(),
    /** How often the condition was met again while its incident was open. */
    repeats: integer().notNull().default(0),
    /** Text about the latest observation. */
    detail: text().notNull().default(''),
    /** A person resolved the incident although the condition holds; no other is opened before it is over. */
    isMuted: boolean().notNull().default(false),
    /** This maintenance window keeps the incident from being opened. */
    windowId: uuid(),
    incidentId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.ruleId, table.subjectKey] }),
    index('alarm_state_rule').on(table.ruleId),
    index('alarm_state_incident').on(table.incidentId),
    index('alarm_state_pending')
      .on(table.since)
      .where(sql`${table.incidentId} is null`),
  ],
)

/** Incidents of rules; project 0 stands for the platform. */
export const alarmIncident = pgTable(
  'alarm_incident',
  {
    id: uuid().notNull().$defaultFn(uuidv7),
    projectId: integer().notNull(),
    ruleId: uuid().notNull(),
    /** Version of the rule that opened the incident, and its name at that time. */
    ruleVersion: integer().notNull(),
    ruleName: text().notNull(),
    severity: text().$type<AlarmSeverity>().notNull(),
    /** `device:<id>`, or `floor:<id>` and `project:<id>` for many devices at once. */
    subjectKey: text().notNull(),
    /** Name of the subject when the incident was opened, for subjects that are deleted since. */
    subjectName: text().notNull(),
    deviceId: uuid(),
    spaceId: uuid(),
    title: text().notNull(),
    status: text().$type<IncidentStatus>().notNull().default('open'),
    count: integer().notNull().default(1),
    deviceCount: integer().notNull().default(0),
    isFlapping: boolean().notNull().default(false),
    /** The condition holds since this time; it is earlier than the opening by the duration of the rule. */
    firstTime: time().notNull(),
    openedTime: time().notNull(),
    lastTime: time().notNull(),
    acknowledgedBy: text().notNull().default(''),
    acknowledgedTime: time(),
    resolvedBy: text().notNull().default(''),
    resolvedTime: time(),
    resolveReason: text().notNull().default(''),
    snoozedUntil: time(),
    assigneeId: uuid(),
    previousId: uuid(),
    updateBy: text().notNull().default(''),
    version: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('alarm_incident_id').on(table.id),
    // If two processes open the same incident, one succeeds and the other increments its counter.
    uniqueIndex('alarm_incident_open')
      .on(table.projectId, table.ruleId, table.subjectKey)
      .where(sql`${table.status} <> 'resolved'`),
    index('alarm_incident_time').on(table.projectId, table.openedTime),
    index('alarm_incident_last').on(table.lastTime),
    index('alarm_incident_device').on(table.projectId, table.deviceId),
  ],
)

/** Creates a foreign key with which rows are deleted together with their incident. */
const incidentForeignKey = (
  name: string,
  { projectId, incidentId }: Record<'projectId' | 'incidentId', AnyPgColumn>,
) =>
  foreignKey({
    name,
    columns: [projectId, incidentId],
    foreignColumns: [alarmIncident.projectId, alarmIncident.id],
  }).onDelete('cascade')

/** Devices of an incident, also those that have recovered since. */
export const incidentDevice = pgTable(
  'incident_device',
  {
    projectId: integer().notNull(),
    incidentId: uuid().notNull(),
    deviceId: uuid().notNull(),
    name: text().notNull(),
    firstTime: time().notNull(),
    recoveredTime: time(),
    detail: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.incidentId, table.deviceId] }),
    incidentForeignKey('incident_device_incident', table),
  ],
)

/** Timeline of incidents, written in the transaction of each change; rows are never updated. */
export const incidentEvent = pgTable(
  'incident_event',
  {
    id: id(),
    projectId: integer().notNull(),
    incidentId: uuid().notNull(),
    kind: text().$type<IncidentEventKind>().notNull(),
    time: time().notNull(),
    /** Null if a rule or the platform did it. */
    userId: uuid(),
    detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    incidentForeignKey('incident_event_incident_key', table),
    index('incident_event_incident').on(table.projectId, table.incidentId),
    index('incident_event_time').on(table.time),
  ],
)

/** During a window no incident of its place is opened. */
export const maintenanceWindow = pgTable(
  'maintenance_window',
  {
    ...rowColumns(),
    projectId: integer().notNull(),
    /** Null means the whole project. */
    spaceId: uuid(),
    name: text().notNull(),
    startTime: time().notNull(),
    endTime: time().notNull(),
    /** Empty for a window that lasts from start to end without a break; otherwise it applies in these hours only. */
    weekdays: integer().array().notNull().default([]),
    fromClock: text().notNull().default(''),
    toClock: text().notNull().default(''),
  },
  (table) => [index('maintenance_window_end').on(table.projectId, table.endTime)],
)

/** Log of a rule's actions other than opening incidents, such as suppressing one during maintenance. */
export const alarmRuleLog = pgTable(
  'alarm_rule_log',
  {
    id: id(),
    ruleId: uuid().notNull(),
    projectId: integer().notNull(),
    time: time().notNull(),
    text: text().notNull(),
  },
  (table) => [
    index('alarm_rule_log_rule').on(table.ruleId, table.time),
    index('alarm_rule_log_time').on(table.time),
  ],
)
