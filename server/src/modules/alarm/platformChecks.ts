import { X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
import { dayMs } from '@iot/shared/contract/duration'
import { platformCheckText, type PlatformCheck } from '@iot/shared/contract/alarm/alarmRule.schema'
import { sql, type SQL } from 'drizzle-orm'
import { cutText } from '../../core/cutText'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { delayedControl } from '../../tables/control'
import { project } from '../../tables/project'
import { judgeStoredBackups } from '../backup/policy'
import { delayedReason, isDelayedUnmet } from '../control/policy'
import { litEmptyRooms } from '../device/policy/litRooms'
import { isOpenRun } from '../scene/policy'
import type { DatabaseWatch } from './databaseWatch'
import type { CompiledRule, RuleIndex } from './ruleIndex'
import { writeStateChanges, type StateChange } from './stateQueries'

/** An older failure no longer counts as a problem. */
const recentMinutes = 10
/** A failed scene that a user started counts as a problem for this long; nobody acknowledges it later. */
const startedSceneMinutes = 60
/** Below this free part of the disk the database may stop writing soon. */
const minFreeRatio = 0.1
/** Notifications that wait longer than this do not reach anybody in time. */
const maxQueueMinutes = 15
/** A certificate is renewed with this many days left; automatic renewal usually begins with 30. */
const minCertificateDays = 14

/** A problem that a check has found; project 0 stands for the platform. */
export type Finding = { projectId: number; subjectKey: string; detail: string }
export type CheckOptions = {
  db: Db
  database: Pick<DatabaseWatch, 'find'>
  dataFolder?: string
  /** Time of the daily backup; undefined if none is scheduled. */
  backupAt?: string
  /** PEM file of the broker's TLS listeners; undefined without such a listener. */
  certificateFile?: string
  /** Returns whether this process reaches the broker. */
  readBroker?: () => 'none' | 'connected' | 'away'
  /** Returns free and all blocks of the disk with a folder; tests give their own. */
  readDisk?: (folder: string) => Promise<{ bavail: number; blocks: number }>
}

const listRows = async (db: Db, subjectKey: string, query: SQL) => {
  const { rows } = await db.execute<{ projectId: number; id?: string; detail: string }>(query)
  return rows.map(({ projectId, id, detail }) => ({
    projectId: Number(projectId),
    subjectKey: id ? `${subjectKey}:${id}` : subjectKey,
    detail: cutText(detail, 200),
  }))
}

async function findFullDisk({ dataFolder, readDisk = statfs }: CheckOptions): Promise<Finding[]> {
  if (!dataFolder) return []
  const { bavail, blocks } = await readDisk(dataFolder)
  const freeRatio = bavail / Math.max(1, blocks)
  if (freeRatio >= minFreeRatio) return []
  const detail = `数据目录所在磁盘只剩 ${Math.floor(freeRatio * 100)}%`
  return [{ projectId: 0, subjectKey: 'check:disk', detail }]
}

async function findEndingCertificate({ certificateFile }: CheckOptions): Promise<Finding[]> {
  if (!certificateFile) return []
  const { validTo } = new X509Certificate(await readFile(certificateFile))
  const daysLeft = Math.floor((Date.parse(validTo) - Date.now()) / dayMs)
  if (daysLeft >= minCertificateDays) return []
  const detail = daysLeft < 0 ? '设备接入的证书已过期' : `设备接入的证书还有 ${daysLeft} 天到期`
  return [{ projectId: 0, subjectKey: 'check:certificate', detail }]
}

/** Looks at the projects one after the other, because each has its own tolerance. */
async function findLitEmptyRooms(db: Db): Promise<Finding[]> {
  const projects = await db
    .select({ projectId: project.projectId, litHoldMinutes: project.litHoldMinutes })
    .from(project)
  const findings: Finding[] = []
  for (const { projectId, litHoldMinutes } of projects) {
    const { rows } = await db.execute<{ id: string; name: string; reason: string }>(
      litEmptyRooms(projectId, () => sql`true`, litHoldMinutes),
    )
    for (const { id, name, reason } of rows)
      findings.push({ projectId, subjectKey: `space:${id}`, detail: `${name} ${reason}` })
  }
  return findings
}

/**
 * Finds one problem per project: the newest row of `found`, in words, and how many there are. Only a project in 运行
 * reports problems, so what happened before the last change of its status is none.
 * @param found rows with `project_id`, `time` and `id`
 * @param describe text of a row `newest`
 */
const findNewest = (
  db: Db,
  subjectKey: string,
  { found, describe, unit }: { found: SQL; describe: SQL; unit: string },
) =>
  listRows(
    db,
    subjectKey,
    sql`select project_id as "projectId",
        ${describe} || case when total > 1 then ' 等 ' || total || ' ' || ${unit} else '' end as detail
      from (
        select distinct on (found.project_id) found.*, count(*) over (partition by found.project_id) as total
        from (${found}) as found left join project p on p.id = found.project_id
        where found.time > coalesce(p.status_time, '-infinity')
        order by found.project_id, found.time desc, found.id desc) as newest`,
  )

const findFailedTasks = (db: Db) =>
  findNewest(db, 'check:controlTask', {
    found: sql`select project_id, id, title, done_time as time
      from task where kind = 'control' and project_id is not null
        and done_time > now() - make_interval(mins => ${recentMinutes})
        and (coalesce((counts ->> 'failed')::int, 0) + coalesce((counts ->> 'timeout')::int, 0)) > 0`,
    describe: sql`'控制任务失败：' || title || coalesce('（' || (
      select d.name || coalesce('：' || nullif(l.reason, ''), '')
      from control_ledger l join device d on d.project_id = l.project_id and d.id = l.device_id
      where l.project_id = newest.project_id and l.task_id = newest.id and l.state in ('failed', 'timeout')
      order by l.device_id limit 1) || '）', '')`,
    unit: '个',
  })

/** A delayed command that was not carried out has no task; its author may have gone home. */
const findUnmetDelayedControls = (db: Db) =>
  findNewest(db, 'check:delayedControl', {
    found: sql`select project_id, id, title, ${delayedReason} as reason, end_time as time from ${delayedControl}
      where ${isDelayedUnmet} and ${delayedControl.endTime} > now() - make_interval(mins => ${recentMinutes})`,
    describe: sql`'延时控制未执行：' || title || '（' || reason || '）'`,
    unit: '个',
  })

/** A refused device whose name is unknown is named by its address. */
const findRefusedDevices = (db: Db) =>
  findNewest(db, 'check:refusal', {
    found: sql`select coalesce(project_id, 0) as project_id, id, last_time as time,
        coalesce(nullif(device_name, ''), address) as name
      from connection_refusal where last_time > now() - make_interval(mins => ${recentMinutes}) and reason <> 'notMqtt'`,
    describe: sql`'设备被拒绝接入：' || name`,
    unit: '台',
  })

const checks: Record<PlatformCheck, (options: CheckOptions) => Promise<Finding[]>> = {
  controlTask: async ({ db }) => [
    ...(await findFailedTasks(db)),
    ...(await findUnmetDelayedControls(db)),
  ],
  scene: ({ db }) =>
    listRows(
      db,
      'scene',
      sql`select r.project_id as "projectId", r.scene_id as id, '场景“' || coalesce(s.name, '已删除') || '”' ||
          case when bool_or(r.status = 'failed') then '执行失败' else '错过' end as detail
        from scene_run r left join scene s on s.project_id = r.project_id and s.id = r.scene_id
        where (${isOpenRun}) or (r.status = 'failed' and r.acknowledged_time is null
          and r.create_time > now() - make_interval(mins => ${startedSceneMinutes}))
        group by r.project_id, r.scene_id, s.name`,
    ),
  lit: ({ db }) => findLitEmptyRooms(db),
  refusal: ({ db }) => findRefusedDevices(db),
  backup: async ({ db, backupAt }) => {
    const problem = await judgeStoredBackups(db, backupAt)
    if (!problem) return []
    const detail = cutText(problem.reason, 200)
    return [{ projectId: 0, subjectKey: 'check:backup', detail }]
  },
  disk: findFullDisk,
  database: ({ database }) => Promise.resolve(database.find()),
  broker: ({ readBroker }) =>
    Promise.resolve(
      readBroker?.() === 'away'
        ? [
            {
              projectId: 0,
              subjectKey: 'check:broker',
              detail: '消息服务没有连接，收不到设备的数据',
            },
          ]
        : [],
    ),
  certificate: findEndingCertificate,
  queue: ({ db }) =>
    listRows(
      db,
      'check:queue',
      sql`select 0 as "projectId", count(*) || ' 条通知等了 ' || ${maxQueueMinutes}::text || ' 分钟以上还没有发出' as detail
        from notification_outbox
        where status = 'pending' and create_time < now() - make_interval(mins => ${maxQueueMinutes})
        having count(*) > 0`,
    ),
}

const listStoredSubjects = async (db: Db, ruleId: string) => {
  const { rows } = await db.execute<{ projectId: number; subjectKey: string }>(sql`
    select project_id as "projectId", subject_key as "subjectKey" from alarm_state
    where rule_id = ${ruleId}::uuid and device_id is null`)
  return rows
}

async function runCheck(db: Db, rule: CompiledRule, findings: Finding[]) {
  const visibleFindings = findings.filter(
    ({ projectId }) => rule.projectId === 0 || rule.projectId === projectId,
  )
  const toKey = ({ projectId, subjectKey }: Pick<Finding, 'projectId' | 'subjectKey'>) =>
    `${projectId} ${subjectKey}`
  const foundKeys = new Set(visibleFindings.map(toKey))
  const endedSubjects = (await listStoredSubjects(db, rule.id)).filter(
    (subject) => !foundKeys.has(toKey(subject)),
  )
  const common = { ruleId: rule.id, deviceId: null }
  const changes: StateChange[] = [
    ...visibleFindings.map((finding) => ({ ...common, ...finding, signal: 'met' as const })),
    ...endedSubjects.map(({ projectId, subjectKey }) => ({
      ...common,
      projectId: Number(projectId),
      subjectKey,
      signal: 'over' as const,
      detail: '',
    })),
  ]
  if (changes.length > 0) await writeStateChanges(db, changes)
}

/**
 * Compares what the platform finds about itself with the stored conditions of the rules that ask for it. A check that
 * fails changes nothing, because nobody knows what it would have found.
 */
export async function runPlatformChecks(options: CheckOptions, index: RuleIndex) {
  for (const [check, find] of Object.entries(checks)) {
    const rules = index
      .list()
      .filter(({ source }) => source.kind === 'check' && source.check === check)
    if (rules.length === 0) continue
    try {
      const findings = await find(options)
      for (const rule of rules) await runCheck(options.db, rule, findings)
    } catch (error) {
      logError(`检查没有完成：${platformCheckText[check as PlatformCheck]}`, error)
    }
  }
}
