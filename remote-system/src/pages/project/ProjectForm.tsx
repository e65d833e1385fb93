import { AutoComplete, Form, Input, InputNumber, Select } from 'antd'
import { useAtomValue } from 'jotai'
import { calendarApi } from '@iot/shared/contract/calendar'
import {
  managedProjectApi,
  Project,
  ProjectChange,
  ProjectDraft,
} from '@iot/shared/contract/managedProject'
import { optionsOf } from '@iot/shared/contract/options'
import { projectTypeText, type ProjectType } from '@iot/shared/contract/projectStatus'
import { projectsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { AddressItems } from '@iot/shared/ui/regionField'
import { RegionName } from '@iot/shared/ui/regionName'
import { taken } from '@iot/shared/ui/taken'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'

const blank: Partial<ProjectDraft> = {
  name: '',
  code: '',
  groupName: '',
  areaCode: '',
  address: '',
  longitude: null,
  latitude: null,
  area: null,
  manager: '',
  phone: '',
  calendarId: null,
  historyDays: null,
  sort: 1,
}
const types = optionsOf(projectTypeText)
const send = sendTo(managedProjectApi, ProjectDraft, ProjectChange)

type ProjectFormProps = {
  project?: Project
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ProjectForm({ project, onSaved, onClose }: ProjectFormProps) {
  const { data: calendars } = useListed(calendarApi.list)
  const groups = new Set(
    useAtomValue(projectsAtom).flatMap(({ fullname }) => fullname?.split('/')[0] ?? []),
  )
  return (
    <FormDialog<ProjectDraft>
      title={project ? '编辑项目' : '新建项目'}
      schema={Project}
      initial={project ?? (blank as ProjectDraft)}
      send={send}
      show={(name, value) =>
        name === 'areaCode' ? (
          <RegionName code={String(value)} />
        ) : name === 'type' ? (
          projectTypeText[value as ProjectType]
        ) : (
          name === 'calendarId' && calendars?.find(({ id }) => id === value)?.name
        )
      }
      draft="project"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item {...field(ProjectDraft, 'name')}>
          <Input autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item
          {...field(ProjectDraft, 'code', project ? undefined : taken('project', 'code'))}
          extra={!project && '保存后不能修改'}
        >
          <Input maxLength={64} disabled={project !== undefined} />
        </Form.Item>
        <Form.Item {...field(ProjectDraft, 'groupName')}>
          <AutoComplete
            maxLength={64}
            placeholder="片区或公司，项目按它分组"
            options={[...groups].map((value) => ({ value }))}
          />
        </Form.Item>
        <Form.Item {...field(ProjectDraft, 'type')}>
          <Select options={types} placeholder="请选择项目类型" />
        </Form.Item>
        <Form.Item {...field(ProjectDraft, 'area')}>
          <InputNumber min={0} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item {...field(ProjectDraft, 'sort')}>
          <InputNumber min={1} precision={0} />
        </Form.Item>
      </FormGroup>
      <FormGroup title="位置">
        <AddressItems schema={ProjectDraft} person="manager" />
        <Form.Item {...field(ProjectDraft, 'longitude')}>
          <InputNumber style={{ width: '100%' }} placeholder="如 113.944" />
        </Form.Item>
        <Form.Item {...field(ProjectDraft, 'latitude')}>
          <InputNumber style={{ width: '100%' }} placeholder="如 22.537" />
        </Form.Item>
      </FormGroup>
      <FormGroup title="管理">
        <Form.Item {...field(ProjectDraft, 'manager')}>
          <Input maxLength={32} />
        </Form.Item>
        <Form.Item {...field(ProjectDraft, 'phone')}>
          <Input placeholder="手机号，或带区号的座机" />
        </Form.Item>
        <Form.Item
          {...field(ProjectDraft, 'calendarId')}
          // A cleared picker leaves undefined.
          normalize={(id?: string) => id ?? null}
          extra="场景按它避开或只在节假日执行"
        >
          <Select
            allowClear
            placeholder="请选择日历"
            fieldNames={{ value: 'id', label: 'name' }}
            {...listedOnly(calendars)}
          />
        </Form.Item>
        <Form.Item
          {...field(ProjectDraft, 'historyDays')}
          extra="设备上报的历史数据；改短后，更早的数据在一天内删除"
        >
          <InputNumber
            min={7}
            max={3650}
            precision={0}
            suffix="天"
            placeholder="不填按平台设置"
            style={{ width: '100%' }}
          />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}
