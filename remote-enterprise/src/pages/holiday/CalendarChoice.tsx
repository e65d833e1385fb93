import Button from 'antd/es/button'
import { useAtomValue } from 'jotai'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import type { Calendar } from '@iot/shared/contract/project/calendar.schema'
import { projectsAtom } from '@iot/shared/session/project'
import { Can, RowActions } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'

function useFindProjectName() {
  const projects = useAtomValue(projectsAtom)
  return (projectId: number) => projects.find(({ id }) => id === projectId)?.name ?? '其他项目'
}

type CalendarSelectProps = {
  calendars: Calendar[]
  calendar: Calendar | undefined
  onSelect: (code: string) => void
}

/** Names the calendars; one of a single project also names the project. */
export function CalendarSelect({ calendars, calendar, onSelect }: CalendarSelectProps) {
  const findProjectName = useFindProjectName()
  return (
    <Select
      aria-label="日历"
      value={calendar?.code}
      style={{ width: 220 }}
      options={calendars.map(({ code, name, projectId }) => ({
        value: code,
        label: projectId === null ? name : `${name}（${findProjectName(projectId)}）`,
      }))}
      onChange={onSelect}
    />
  )
}

type CalendarActionsProps = {
  calendar: Calendar
  refusal: string | undefined
  onEdit: (calendar: Calendar | 'new') => void
  onRemove: (calendar: Calendar) => void
}

export const CalendarActions = ({ calendar, refusal, onEdit, onRemove }: CalendarActionsProps) => (
  <RowActions
    name={calendar.name}
    more={[
      { label: '新建日历', to: calendarApi.create, onClick: () => onEdit('new') },
      {
        label: '删除',
        to: calendarApi.remove,
        unless: refusal ?? (calendar.builtin && '内置日历不能删除'),
        danger: true,
        onClick: () => onRemove(calendar),
      },
    ]}
  >
    <Can to={calendarApi.update} unless={refusal}>
      <Button type="link" size="small" onClick={() => onEdit(calendar)}>
        编辑
      </Button>
    </Can>
  </RowActions>
)
