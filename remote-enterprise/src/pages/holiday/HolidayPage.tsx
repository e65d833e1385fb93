import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Segmented from 'antd/es/segmented'
import Skeleton from 'antd/es/skeleton'
import Space from 'antd/es/space'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Calendar } from '@iot/shared/contract/project/calendar.schema'
import { calendarApi, holidayApi } from '@iot/shared/contract/project/calendar.api'
import { weekendModeText } from '@iot/shared/contract/project/calendarDay'
import { useOwnershipRefusal } from '@iot/shared/session/can'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Can, useRefusalReason } from '@iot/shared/ui/right'
import { useEditing } from '@iot/shared/ui/useDraft'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { CalendarActions, CalendarSelect } from './CalendarChoice'
import { DayList } from './DayList'
import * as styles from './holiday.module.css'
import { todayInPageZone } from '@iot/shared/client/zone'
import { getCurrentYear, YearStepper } from './YearStepper'
import { YearView } from './YearView'

const CalendarForm = lazyDialog(() => import('./CalendarForm'))
const DaysForm = lazyDialog(() => import('./DaysForm'))
const SceneEffects = lazyPart(() => import('./SceneEffects'))
const ImportFile = lazyDialog(() => import('./ImportFile'))
const ImportYear = lazyDialog(() => import('./ImportYear'))

const viewOptions = [
  { value: 'year', label: '全年' },
  { value: 'list', label: '列表' },
]
/** A calendar shared by all projects belongs to none of them. */
const getProjectIds = ({ projectId }: Calendar) => (projectId === null ? [] : [projectId])

export function Component() {
  const refusal = useRefusalReason()
  const { year, view, calendarCode, changeParams } = useHolidayParams()

  const calendars = useRequest(() => call(calendarApi.page, { pageSize: 999 }, { inline: true }))
  const rows = calendars.data?.list ?? []
  const calendar = rows.find(({ code }) => code === calendarCode) ?? rows[0]
  const { data, error, loading, refresh, yearKey } = useCalendarYear(calendar, year)
  const [editing, setEditing, unsavedNotice] = useEditing<Calendar | 'new'>('calendar', '日历')
  const [range, setRange] = useState<{ from: string; to: string }>()
  const [importing, setImporting] = useState<'year' | 'file'>()

  const loadError = calendars.error ?? error
  const retry = () => (calendars.error ? calendars.refresh() : refresh())
  const days = data?.days ?? []
  const daysOffCount = days.filter(({ isOff }) => isOff).length
  const refuseChange = useOwnershipRefusal()
  const changeRefusal = calendar && refuseChange(getProjectIds(calendar))
  const remove = useRemoveRow(calendarApi.remove, calendars.refresh)

  return (
    <Panel>
      {unsavedNotice}
      <Flex justify="space-between" gap={12} wrap>
        <Space wrap>
          <CalendarSelect
            calendars={rows}
            calendar={calendar}
            onSelect={(code) => changeParams({ calendar: code })}
          />
          {calendar && (
            <CalendarActions
              calendar={calendar}
              refusal={changeRefusal}
              onEdit={setEditing}
              onRemove={remove}
            />
          )}
          <YearStepper
            year={year}
            onChange={(nextYear) => changeParams({ year: String(nextYear) })}
          />
          <Segmented
            options={viewOptions}
            value={view}
            onChange={(value) => changeParams({ view: value })}
          />
        </Space>
        <YearActions
          year={year}
          isPublished={data?.published}
          refusal={changeRefusal}
          onImport={() => setImporting('year')}
          onImportFile={() => setImporting('file')}
          onSetDays={setRange}
        />
      </Flex>
      {loadError && <LoadErrorAlert why={loadError.message} hasRows={!!data} onRetry={retry} />}
      {data && <PublicationNotice year={year} published={data.published} missing={data.missing} />}
      {data && calendar && (
        <span className={styles.legend}>
          {weekendModeText[calendar.weekendMode]} · 全年休息 {daysOffCount} 天，上班{' '}
          {days.length - daysOffCount} 天
          {view === 'year' &&
            !refusal(holidayApi.set, changeRefusal) &&
            ' · 点日期设置，按住 Shift 再点选一段'}
        </span>
      )}
      {view === 'list' ? (
        <DayList
          calendarId={calendar?.id ?? ''}
          days={days}
          disabledReason={changeRefusal}
          isLoading={loading && !data}
          hasFailed={!!loadError}
          onEdit={setRange}
          onChanged={refresh}
        />
      ) : data ? (
        <YearView
          key={yearKey}
          days={days}
          today={todayInPageZone()}
          onSelectRange={refusal(holidayApi.set, changeRefusal) ? undefined : setRange}
        />
      ) : (
        !loadError && <Skeleton active title={false} paragraph={{ rows: 12 }} />
      )}
      {data && calendar && <SceneEffects calendarId={calendar.id} days={data} />}
      {editing && (
        <CalendarForm
          calendar={editing === 'new' ? undefined : editing}
          calendars={rows}
          onSaved={calendars.refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      {range && data && calendar && (
        <DaysForm
          calendarId={calendar.id}
          days={days}
          range={range}
          onSaved={refresh}
          onClose={() => setRange(undefined)}
        />
      )}
      {importing === 'year' && calendar && (
        <ImportYear
          calendar={calendar}
          year={year}
          onImported={refresh}
          onClose={() => setImporting(undefined)}
        />
      )}
      {importing === 'file' && calendar && (
        <ImportFile
          calendar={calendar}
          onImported={refresh}
          onClose={() => setImporting(undefined)}
        />
      )}
    </Panel>
  )
}

/** Returns the selected year, view and calendar, which are part of the address. */
function useHolidayParams() {
  const [params, setParams] = useSearchParams()
  const changeParams = (changes: Record<string, string>) =>
    setParams((currentParams) => ({ ...Object.fromEntries(currentParams), ...changes }))
  const year = Math.min(
    2100,
    Math.max(2004, Math.trunc(Number(params.get('year'))) || getCurrentYear()),
  )
  const view = params.get('view') ?? 'year'
  return { year, view, calendarCode: params.get('calendar'), changeParams }
}

function useCalendarYear(calendar: Calendar | undefined, year: number) {
  const yearKey = `${calendar?.id} ${year}`
  const {
    data: loadedYear,
    error,
    loading,
    refresh,
  } = useRequest(
    async () => ({
      ...(await call(holidayApi.year, { id: calendar!.id, year }, { inline: true })),
      of: yearKey,
    }),
    { ready: !!calendar, refreshDeps: [calendar?.id, calendar?.version, year] },
  )
  // The days of the previous year are hidden while another year is read or if reading it fails.
  const data = loadedYear?.of === yearKey ? loadedYear : undefined
  return { data, error, loading, refresh, yearKey }
}

type YearActionsProps = {
  year: number
  isPublished: boolean | undefined
  refusal: string | undefined
  onImport: () => void
  onImportFile: () => void
  onSetDays: (range: { from: string; to: string }) => void
}

const YearActions = ({
  year,
  isPublished,
  refusal,
  onImport,
  onImportFile,
  onSetDays,
}: YearActionsProps) => (
  <Space>
    <Can
      to={holidayApi.importYear}
      unless={refusal ?? (isPublished === false && `本版本没有 ${year} 年的放假安排`)}
    >
      <Button onClick={onImport}>导入放假安排</Button>
    </Can>
    <Can to={holidayApi.importFile} unless={refusal}>
      <Button onClick={onImportFile}>从文件导入</Button>
    </Can>
    <Can to={holidayApi.set} unless={refusal}>
      <Button
        type="primary"
        onClick={() =>
          onSetDays({
            from: `${year}${todayInPageZone().slice(4)}`,
            to: `${year}${todayInPageZone().slice(4)}`,
          })
        }
      >
        设置日期
      </Button>
    </Can>
  </Space>
)

type PublicationNoticeProps = { year: number; published: boolean; missing: number }

/** Warns that this version has no public holidays of the year, or that not all are imported. */
const PublicationNotice = ({ year, published, missing }: PublicationNoticeProps) => (
  <>
    {!published && (
      <Alert type="info" showIcon title={`本版本没有 ${year} 年的放假安排，暂按周末推算`} />
    )}
    {published && missing > 0 && (
      <Alert
        type="warning"
        showIcon
        title={`${year} 年放假安排已发布，还有 ${missing} 天没有导入`}
      />
    )}
  </>
)
