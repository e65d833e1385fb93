import { NumberInput } from '@iot/shared/ui/numberInput'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import { useAtomValue } from 'jotai'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import { dayModeText, type DayMode } from '@iot/shared/contract/alarm/notificationPolicy'
import { notificationPolicyApi } from '@iot/shared/contract/alarm/notificationPolicy.api'
import {
  NotificationPolicy,
  NotificationPolicyChange,
  NotificationPolicyDraft as Draft,
  PolicyStep,
  type NotificationPolicyDraft,
} from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { createSaveCall, FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, StatusItem, SwitchItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { usePickerOptions } from '@iot/shared/ui/useListed'

const blankPolicy: NotificationPolicyDraft = {
  name: '',
  status: 'enabled',
  severities: ['critical', 'major'],
  projectIds: [],
  dayMode: 'all',
  calendarId: null,
  fromClock: '',
  toClock: '',
  notifiesResolved: true,
  isFallback: false,
  steps: [{ afterMinutes: 0, channelIds: [], roleIds: [] }],
}

type PolicyFormProps = {
  policy?: NotificationPolicy
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function PolicyForm({ policy, onSaved, onClose }: PolicyFormProps) {
  const projectOptions = useAtomValue(projectOptionsAtom)
  const { data: calendars } = usePickerOptions(calendarApi.list)
  return (
    <FormDialog<NotificationPolicyDraft>
      title={policy ? '编辑通知策略' : '新建通知策略'}
      schema={NotificationPolicy}
      initial={policy ?? blankPolicy}
      send={createSaveCall(notificationPolicyApi, Draft, NotificationPolicyChange)}
      show={(name, value) => {
        if (name === 'severities')
          return (value as AlarmSeverity[]).map((one) => severityText[one]).join('、')
        if (name === 'steps') return `${(value as PolicyStep[]).length} 步`
        return name === 'dayMode' && dayModeText[value as DayMode]
      }}
      draft="notificationPolicy"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="什么时候通知">
        <TextItem
          of={Draft}
          name="name"
          check={uniqueCheck('notificationPolicy', 'name', policy?.id)}
          autoFocus
        />
        <ChoiceItem
          of={Draft}
          name="severities"
          mode="multiple"
          options={toTextOptions(severityText)}
        />
        <ChoiceItem
          of={Draft}
          name="projectIds"
          mode="multiple"
          options={projectOptions}
          placeholder="全部项目"
        />
        <ChoiceItem of={Draft} name="dayMode" options={toTextOptions(dayModeText)} />
        <TextItem of={Draft} name="fromClock" placeholder="22:00，不填为全天" />
        <TextItem
          of={Draft}
          name="toClock"
          placeholder="06:00"
          extra="早于开始时间为次日；按项目的时区"
        />
        <ChoiceItem
          of={Draft}
          name="calendarId"
          options={toRowOptions(calendars)}
          allowClear
          placeholder="项目的日历"
        />
        <StatusItem of={Draft} name="status" />
        <SwitchItem of={Draft} name="notifiesResolved" />
        <SwitchItem of={Draft} name="isFallback" extra="没有别的策略通知到人时才用" />
      </FormGroup>
      <FormGroup title="通知谁（无人确认时逐步升级）">
        <div style={fullRowStyle}>
          <StepsField />
        </div>
      </FormGroup>
    </FormDialog>
  )
}

function StepsField() {
  const canListRoles = useCan()(roleApi.list)
  const { data: channels } = usePickerOptions(notificationChannelApi.list, { whenBack: true })
  const { data: roles } = usePickerOptions(roleApi.list, { ready: canListRoles })
  const channelOptions = channels?.map(({ id, name, status }) => ({
    value: id,
    label: status === 'enabled' ? name : `${name}（已禁用）`,
  }))
  const getItemProps = (index: number, name: keyof typeof PolicyStep.shape) => ({
    ...field(PolicyStep, name),
    name: [index, name],
    style: { flex: name === 'afterMinutes' ? '0 0 130px' : '1 1 220px', marginBottom: 12 },
  })
  return (
    <Form.List name="steps">
      {(rows, { add, remove }, { errors }) => (
        <Flex vertical gap={4}>
          {rows.map(({ key, name: index }) => (
            <Flex
              key={key}
              wrap
              gap={12}
              align="end"
              role="group"
              aria-label={`第 ${index + 1} 步`}
            >
              <Form.Item {...getItemProps(index, 'afterMinutes')}>
                <NumberInput style={{ width: '100%' }} />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'channelIds')}>
                <Select
                  mode="multiple"
                  options={channelOptions}
                  placeholder="请选择通知渠道"
                  showSearch={{ optionFilterProp: 'label' }}
                />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'roleIds')}>
                <Select
                  mode="multiple"
                  options={toRowOptions(roles)}
                  placeholder="浏览器通知不选为所有人"
                  showSearch={{ optionFilterProp: 'label' }}
                />
              </Form.Item>
              <Button
                type="text"
                danger
                icon={<DeleteOutlined />}
                aria-label={`删除第 ${index + 1} 步`}
                style={{ marginBottom: 12 }}
                onClick={() => remove(index)}
              />
            </Flex>
          ))}
          <Button
            type="dashed"
            disabled={rows.length >= 5}
            onClick={() => add({ afterMinutes: rows.length * 15, channelIds: [], roleIds: [] })}
          >
            添加一步
          </Button>
          <Form.ErrorList errors={errors} />
        </Flex>
      )}
    </Form.List>
  )
}
