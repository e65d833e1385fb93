import AutoComplete from 'antd/es/auto-complete'
import Form from 'antd/es/form'
import { useAtomValue } from 'jotai'
import { canUseCalendar } from '@iot/shared/contract/project/calendar'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import {
  Project,
  ProjectChange,
  ProjectDraft,
} from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { newProjectDefaults } from '@iot/shared/contract/project/newProject'
import { getSelectedName, toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { projectTypeText, type ProjectType } from '@iot/shared/contract/project/projectStatus'
import { projectsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NumberItem, SortItem, TextItem } from '@iot/shared/ui/items'
import { AddressItems } from '@iot/shared/ui/regionField'
import { RegionName } from '@iot/shared/ui/regionName'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { TimeZoneItem } from './TimeZoneItem'

const blankProject: Partial<ProjectDraft> = {
  name: '',
  code: '',
  groupName: '',
  areaCode: '',
  ...newProjectDefaults,
}
const projectTypeOptions = toTextOptions(projectTypeText)
const sendProject = createSaveCall(managedProjectApi, ProjectDraft, ProjectChange)

type ProjectFormProps = {
  project?: Project
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProjectForm({ project, onSaved, onClose }: ProjectFormProps) {
  const allCalendars = usePickerOptions(calendarApi.list).data
  const calendars = allCalendars?.filter((candidate) =>
    canUseCalendar(project?.projectId ?? null, candidate),
  )
  const groupNames = new Set(
    useAtomValue(projectsAtom).flatMap(({ fullname }) => fullname?.split('/')[0] ?? []),
  )
  return (
    <FormDialog<ProjectDraft>
      title={project ? '编辑项目' : '新建项目'}
      schema={Project}
      initial={project ?? (blankProject as ProjectDraft)}
      send={sendProject}
      show={(name, value) =>
        name === 'areaCode' ? (
          <RegionName code={String(value)} />
        ) : name === 'type' ? (
          projectTypeText[value as ProjectType]
        ) : (
          name === 'calendarId' && !!value && getSelectedName(toRowOptions(calendars), value)
        )
      }
      draft="project"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem of={ProjectDraft} name="name" autoFocus />
        <TextItem
          of={ProjectDraft}
          name="code"
          check={project ? undefined : uniqueCheck('project', 'code')}
          extra={!project && '保存后不能修改'}
          disabled={project !== undefined}
        />
        <Form.Item {...field(ProjectDraft, 'groupName')}>
          <AutoComplete
            placeholder="片区或公司，项目按它分组"
            options={[...groupNames].map((value) => ({ value }))}
          />
        </Form.Item>
        <ChoiceItem of={ProjectDraft} name="type" options={projectTypeOptions} />
        <NumberItem of={ProjectDraft} name="area" />
        <SortItem of={ProjectDraft} name="sort" />
      </FormGroup>
      <FormGroup title="位置">
        <AddressItems schema={ProjectDraft} person="manager" />
        <NumberItem of={ProjectDraft} name="longitude" placeholder="如 113.944" />
        <NumberItem of={ProjectDraft} name="latitude" placeholder="如 22.537" />
      </FormGroup>
      <FormGroup title="管理">
        <TextItem of={ProjectDraft} name="manager" />
        <TextItem
          of={ProjectDraft}
          name="phone"
          placeholder="手机号、带区号的座机，或 400、95 号码"
        />
        <TimeZoneItem storedTimeZone={project?.timeZone} />
        <ChoiceItem
          of={ProjectDraft}
          name="calendarId"
          extra="场景按它避开或只在节假日执行"
          allowClear
          options={toRowOptions(calendars)}
        />
        <NumberItem
          of={ProjectDraft}
          name="historyDays"
          extra="设备上报的历史数据；改短后，更早的数据在一天内删除"
          suffix="天"
          placeholder="不填按平台设置"
        />
        <NumberItem
          of={ProjectDraft}
          name="litHoldMinutes"
          extra="灯亮着而没有人达到这么久，才在首页报告"
          suffix="分钟"
        />
      </FormGroup>
    </FormDialog>
  )
}
