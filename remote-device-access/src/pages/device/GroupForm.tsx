import { useRequest } from 'ahooks'
import { Form, Input, Radio, Select, Typography } from 'antd'
import { call } from '@iot/shared/client/call'
import {
  DeviceGroup,
  DeviceGroupChange,
  DeviceGroupDraft,
  deviceGroupApi,
  groupKindText,
  wordsOfTag,
  type GroupKind,
  type GroupRule,
  type GroupTag,
} from '@iot/shared/contract/deviceGroup'
import { namedOptions } from '@iot/shared/contract/options'
import { productApi } from '@iot/shared/contract/product'
import { DevicesField } from '@iot/shared/control/devicesField'
import { field } from '@iot/shared/ui/field'
import { FormDialog, sendTo } from '@iot/shared/ui/formDialog'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'
import { usePlaces } from './usePlaces'

const kinds = (Object.keys(groupKindText) as GroupKind[]).map((value) => ({
  value,
  label: groupKindText[value],
}))
const send = sendTo(deviceGroupApi, DeviceGroupDraft, DeviceGroupChange)
/** A tag as the value of a choice. */
const keyOf = (tag: GroupTag) => JSON.stringify([tag.key, tag.value])
function tagOf(text: string): GroupTag {
  const [key, value] = JSON.parse(text) as [string, string]
  return { key, value }
}

type GroupFormProps = {
  projectId: number
  group?: DeviceGroup
  draft: string
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function GroupForm({ projectId, group, draft, onSaved, onClose }: GroupFormProps) {
  const [form] = Form.useForm<DeviceGroupDraft>()
  const places = usePlaces(projectId)
  const { data: products } = useListed(productApi.list)
  const { data: tags } = useListed(deviceGroupApi.tags, { input: { projectId } })
  const blank: DeviceGroupDraft = {
    ...{ projectId, name: '', kind: 'rule', deviceIds: [], description: '' },
    ...{ productIds: [], spaceIds: [], tags: [] },
  }
  const {
    kind,
    productIds = [],
    spaceIds = [],
    tags: chosen = [],
  } = (Form.useWatch([], form) as Partial<DeviceGroupDraft> | undefined) ?? group ?? blank
  const choices = { mode: 'multiple', showSearch: { optionFilterProp: 'label' } } as const

  return (
    <FormDialog<DeviceGroupDraft>
      title={group ? '编辑设备组' : '新建设备组'}
      schema={DeviceGroup}
      initial={group ?? blank}
      send={send}
      form={form}
      draft={draft}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Form.Item {...field(DeviceGroupDraft, 'name')}>
        <Input maxLength={64} placeholder="如 走廊组" />
      </Form.Item>
      <Form.Item {...field(DeviceGroupDraft, 'kind')}>
        <Radio.Group options={kinds} />
      </Form.Item>
      {kind === 'hand' ? (
        <Form.Item {...field(DeviceGroupDraft, 'deviceIds')} required>
          <DevicesField projectId={projectId} />
        </Form.Item>
      ) : (
        <>
          <Form.Item {...field(DeviceGroupDraft, 'productIds')}>
            <Select {...choices} placeholder="不限" {...listedOnly(namedOptions(products))} />
          </Form.Item>
          <Form.Item {...field(DeviceGroupDraft, 'spaceIds')}>
            <Select {...choices} placeholder="不限，选中的位置包括它下面的" options={places} />
          </Form.Item>
          <Form.Item
            {...field(DeviceGroupDraft, 'tags')}
            getValueProps={(value: GroupTag[] = []) => ({ value: value.map(keyOf) })}
            normalize={(value: string[]) => value.map(tagOf)}
            extra={<Preview {...{ projectId, productIds, spaceIds, tags: chosen }} />}
          >
            <Select
              {...choices}
              placeholder={tags?.length === 0 ? '当前项目的设备没有上报标签' : '不限'}
              {...listedOnly(
                tags &&
                  [...new Map([...tags, ...chosen].map((tag) => [keyOf(tag), tag]))].map(
                    ([value, tag]) => ({ value, label: wordsOfTag(tag) }),
                  ),
              )}
            />
          </Form.Item>
        </>
      )}
      <Form.Item {...field(DeviceGroupDraft, 'description')}>
        <Input.TextArea rows={2} maxLength={200} showCount />
      </Form.Item>
    </FormDialog>
  )
}

/** Whom the rule means now. */
function Preview({ projectId, ...rule }: GroupRule & { projectId: number }) {
  const { productIds, spaceIds, tags } = rule
  const isEmpty = productIds.length + spaceIds.length + tags.length === 0
  const { data, error } = useRequest(
    () => call(deviceGroupApi.preview, { projectId, ...rule }, { quiet: true }),
    { ready: !isEmpty, refreshDeps: [projectId, JSON.stringify(rule)], debounceWait: 300 },
  )
  const hint = '产品、位置、标签要同时符合，每项里符合一个即可；控制时按当时符合的设备执行'
  if (isEmpty) return hint
  if (error)
    return <Typography.Text type="warning">现在有几台未知：{error.message}</Typography.Text>
  if (!data) return '正在计算…'
  const kept = data.protected > 0 ? `，其中受保护 ${data.protected} 台，批量控制不会动` : ''
  const names = `${data.names.join('、')}${data.total > data.names.length ? ' 等' : ''}`
  return (
    <span role="status">
      <strong>现在 {data.total} 台</strong>
      {kept}
      {data.total > 0 && `：${names}`}
      <br />
      {hint}
    </span>
  )
}
