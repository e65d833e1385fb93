import { platformCheckText } from '@iot/shared/contract/alarm/alarmRule.schema'
import { createTree } from '@iot/shared/contract/tree'
import { cutText } from '../../core/cutText'
import type { Db } from '../../core/db/db'
import { groupBy } from '../../core/groupBy'
import { transaction } from '../../core/db/db'
import { isOutage, logError } from '../../core/db/outage'
import { alarmRuleLog } from '../../tables/alarm'
import { now } from '../../tables/columns'
import { listProjectSpaces } from '../deviceGroup/policy'
import { bundleNotifications } from '../notification/policy'
import { describeObservation } from './describe'
import { dueQueries, type DueRow, type WindowScope } from './dueQueries'
import { groupSubjects } from './groupSubjects'
import { joinIncident, openIncident, type IncidentSubject } from './incidentWriter'
import type { CompiledRule, RuleIndex } from './ruleIndex'
import { writeStateChanges, type StateChange } from './stateQueries'

type DueSubjectRow = DueRow & { rule: CompiledRule }

const toSubject = ({ rule, ...row }: DueSubjectRow): IncidentSubject => ({
  ruleId: rule.id,
  subjectKey: row.subjectKey,
  deviceId: row.deviceId,
  name: row.name ?? '',
  detail: row.detail,
  since: row.since,
})

/** Compares each condition with the newest value, and writes where the value says otherwise or nothing any more. */
async function confirmNewest(db: Db, rows: DueSubjectRow[]) {
  const changes: StateChange[] = []
  const confirmedRows = rows.flatMap((row) => {
    const { rule, deviceId, state, reported, stale } = row
    if (rule.source.kind === 'check') return [row]
    if (rule.source.kind === 'event') return deviceId && row.name === null ? [] : [row]
    if (!deviceId || state === null) return []
    const observed = { state, reported: reported ?? {}, stale: stale ?? {} }
    const isCovered = rule.covers({ ...row, id: deviceId, productId: row.productId ?? '' })
    // Only the comparison of all conditions removes what a rule does not cover, because it reads the scopes again first.
    if (!isCovered) return []
    const signal = rule.judge(observed)
    if (signal === 'met') return [{ ...row, detail: describeObservation(rule, observed) }]
    changes.push({
      ruleId: rule.id,
      projectId: row.projectId,
      subjectKey: row.subjectKey,
      deviceId,
      readSince: row.readSince,
      signal,
      detail: '',
    })
    return []
  })
  if (changes.length > 0) await writeStateChanges(db, changes)
  return confirmedRows
}

async function readWindowScopes(db: Db): Promise<WindowScope[]> {
  const scopes: WindowScope[] = []
  for (const window of await dueQueries(db).listWindows()) {
    const { projectId, spaceId } = window
    const tree = spaceId ? createTree(await listProjectSpaces(db, projectId)) : undefined
    scopes.push({ ...window, spaceIds: spaceId && tree ? [...tree.within(spaceId)] : null })
  }
  return scopes
}

/** Holds back what lies in a maintenance window, and says so once in the log of the rule. */
async function holdInWindows(db: Db, rows: DueSubjectRow[], windows: WindowScope[]) {
  if (windows.length === 0) return rows
  const spaceIdsByWindow = new Map(
    windows.map(({ id, spaceIds }) => [id, spaceIds && new Set(spaceIds)]),
  )
  const findWindow = ({ projectId, subjectKey, spaceId }: DueRow) => {
    const place = findSpaceId(subjectKey, spaceId, null)
    return windows.find((window) => {
      const spaceIds = spaceIdsByWindow.get(window.id)
      return window.projectId === projectId && (!spaceIds || (place && spaceIds.has(place)))
    })
  }
  const reportedRows: DueSubjectRow[] = []
  const heldStates = rows.flatMap((row) => {
    const window = findWindow(row)
    if (!window) reportedRows.push(row)
    return window
      ? [
          {
            ruleId: row.ruleId,
            subjectKey: row.subjectKey,
            projectId: row.projectId,
            windowId: window.id,
          },
        ]
      : []
  })
  if (heldStates.length === 0) return reportedRows
  await transaction(db, async (tx) => {
    const newlyHeld = await dueQueries(tx).holdInWindow(heldStates)
    await tx.insert(alarmRuleLog).values(
      newlyHeld.map(({ ruleId, projectId, windowId, count }) => ({
        ruleId,
        projectId: Number(projectId),
        time: now(),
        text: `维护窗口“${windows.find(({ id }) => id === windowId)?.name ?? ''}”期间，${count} 个对象满足条件，没有报告`,
      })),
    )
  })
  return reportedRows
}

const maxTitleCharacters = 300
const titleSingle = ({ rule, name, detail }: DueSubjectRow) =>
  rule.source.kind === 'check'
    ? detail
    : rule.source.kind === 'threshold'
      ? `${name ?? ''} ${detail}`
      : `${name ?? ''} ${detail || '离线'}`
const titleGroup = (name: string, { rule, detail }: DueSubjectRow) =>
  `${name} 多台设备${rule.source.kind === 'offline' ? '离线' : `：${rule.source.kind === 'event' ? detail : rule.name}`}`

/** Returns the place of the subject: that of its device, its floor, or the room that it is. */
const findSpaceId = (key: string, deviceSpaceId: string | null, floorId: string | null) =>
  key.startsWith('floor:')
    ? floorId
    : key.startsWith('space:')
      ? key.slice('space:'.length)
      : deviceSpaceId

type GroupToOpen = {
  key: string
  /** Name of the floor, project or gateway; undefined for a single device. */
  groupName?: string
  gatewayId?: string
  rows: DueSubjectRow[]
}
async function openGroup(db: Db, { key, groupName, gatewayId, rows }: GroupToOpen) {
  const [first] = rows
  if (!first) return undefined
  const { rule } = first
  const draft = {
    projectId: first.projectId,
    ruleId: rule.id,
    ruleVersion: rule.version,
    ruleName: rule.name,
    severity: rule.severity,
    subjectKey: key,
    subjectName:
      groupName ??
      (rule.source.kind === 'check' ? platformCheckText[rule.source.check] : (first.name ?? '')),
    title: cutText(
      groupName === undefined ? titleSingle(first) : titleGroup(groupName, first),
      maxTitleCharacters,
    ),
    deviceId: gatewayId ?? (groupName === undefined ? first.deviceId : null),
    spaceId: findSpaceId(key, groupName === undefined ? first.spaceId : null, first.floorId),
    firstTime: rows.reduce(
      (earliest, { since }) => (since < earliest ? since : earliest),
      first.since,
    ),
  }
  try {
    const windowName = first.windowId === null ? undefined : (first.windowName ?? '')
    return await transaction(db, (tx) =>
      openIncident(tx, draft, rows.map(toSubject), { windowName }),
    )
  } catch (error) {
    // One incident that cannot be stored must not hold back those of other rules.
    if (isOutage(error)) throw error
    logError(`告警没有产生（规则 ${rule.name}）`, error)
    return undefined
  }
}

/** Opens incidents, and makes those of a maintenance window that has ended one message for each channel. */
function createOpener(db: Db) {
  const incidentsByWindow = new Map<string, string[]>()
  return {
    async open(group: GroupToOpen) {
      const id = await openGroup(db, group)
      const windowId = group.rows[0]?.windowId
      if (id && windowId)
        incidentsByWindow.set(windowId, [...(incidentsByWindow.get(windowId) ?? []), id])
    },
    async bundle() {
      for (const incidentIds of incidentsByWindow.values())
        await bundleNotifications(db, incidentIds)
    },
  }
}
type Opener = ReturnType<typeof createOpener>

/** Puts offline devices behind an offline gateway into the incident of that gateway, or opens one for all of them. */
async function openBehindGateways(db: Db, rows: DueSubjectRow[], opener: Opener) {
  if (rows.length === 0) return
  const queries = dueQueries(db)
  const incidents = new Map(
    (await queries.listGatewayIncidents()).map(({ gatewayId, ...one }) => [gatewayId, one]),
  )
  const pendingGateways = await queries.listPendingGateways()
  for (const [gatewayId, children] of groupBy(rows, (row) => row.gatewayId!)) {
    const incident = incidents.get(gatewayId)
    // The incident of the gateway itself is waited for.
    if (!incident && pendingGateways.has(gatewayId)) continue
    if (incident)
      await transaction(db, (tx) =>
        joinIncident(tx, Number(incident.projectId), incident.id, children.map(toSubject)),
      )
    else
      for (const ofRule of groupBy(children, ({ ruleId }) => ruleId).values())
        await opener.open({
          key: `gateway:${gatewayId}`,
          groupName: `网关 ${children[0]!.gatewayName ?? ''} 下`,
          gatewayId,
          rows: ofRule,
        })
  }
}

async function openByPlace(db: Db, rows: DueSubjectRow[], opener: Opener) {
  if (rows.length === 0) return
  const queries = dueQueries(db)
  const toGroupKey = ({ ruleId, projectId }: { ruleId: string; projectId: number }) =>
    `${ruleId} ${projectId}`
  const summaries = new Map(
    (await queries.listOpenSummaries()).map((summary) => [toGroupKey(summary), summary]),
  )
  const names = await queries.findNames(
    [...new Set(rows.flatMap(({ floorId }) => floorId ?? []))],
    [...new Set(rows.map(({ projectId }) => projectId))],
  )
  for (const [key, ofRule] of groupBy(rows, toGroupKey)) {
    const summary = summaries.get(key)
    const groups = groupSubjects(ofRule, {
      recent: summary?.recent ?? 0,
      groupKeys: new Set(summary?.groupKeys),
    })
    for (const group of groups) {
      const isSingle = group.key === group.subjects[0]!.subjectKey
      await opener.open({
        key: group.key,
        ...(!isSingle && { groupName: names.get(group.key) ?? '' }),
        rows: group.subjects,
      })
    }
  }
}

/**
 * Opens incidents for conditions that have held long enough.
 * @param isOfflineFrozen offline devices are not reported, because they may be reconnecting after a start
 */
export async function openDue(db: Db, index: RuleIndex, isOfflineFrozen: boolean) {
  const queries = dueQueries(db)
  const windows = await readWindowScopes(db)
  const currentWindowIds = new Set(windows.map(({ id }) => id))
  const dueRows = (await queries.listDue(windows)).flatMap((row) => {
    const rule = index.find(row.ruleId)
    if (!rule || (isOfflineFrozen && rule.source.kind === 'offline')) return []
    // A subject that has left a window which still lasts is reported like any other outside of it.
    const hasLeft = row.windowId !== null && currentWindowIds.has(row.windowId)
    return [{ ...row, rule, windowId: hasLeft ? null : row.windowId }]
  })
  if (dueRows.length === 0) return
  const rows = await holdInWindows(db, await confirmNewest(db, dueRows), windows)
  const isBehindGateway = ({ rule, isGatewayOffline }: DueSubjectRow) =>
    rule.source.kind === 'offline' && isGatewayOffline
  const isCheck = ({ rule }: DueSubjectRow) => rule.source.kind === 'check'
  const opener = createOpener(db)
  for (const row of rows.filter(isCheck)) await opener.open({ key: row.subjectKey, rows: [row] })
  await openByPlace(
    db,
    rows.filter((row) => !isBehindGateway(row) && !isCheck(row)),
    opener,
  )
  await openBehindGateways(db, rows.filter(isBehindGateway), opener)
  await opener.bundle()
}
