import { Form, Select } from 'antd'
import {
  DeviceGroup,
  DeviceGroupChange,
  DeviceGroupDraft,
  deviceGroupApi,
  groupKindText,
  wordsOfTag,
  type GroupKind,
  type GroupTag,
} from '@iot/shared/contract/deviceGroup'
import { chosenName, namedOptions } from '@iot/shared/contract/options'
import { productApi } from '@iot/shared/contract/product'
import { DevicesField } from '@iot/shared/control/devicesField'
import { field } from '@iot/shared/ui/field'
import { FormDialog, sendTo } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { listedOnly, useListed } from '@iot/shared/ui/useListed'
import { GroupPreview } from './GroupPreview'
import { usePlaces } from './usePlaces'

const kinds = (Object.keys(groupKindText) as GroupKind[]).map((value) => ({
  value,
  label: groupKindText[value],
}))
const send = sendTo(deviceGroupApi, DeviceGroupDraft, DeviceGroupChange)
/** Encodes a tag as the value of a select option. */
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
    projectId,
    name: '',
    kind: 'rule',
    deviceIds: [],
    description: '',
    productIds: [],
    spaceIds: [],
    tags: [],
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
      show={(name, value) => {
        if (name === 'kind') return groupKindText[value as GroupKind]
        if (name === 'deviceIds') return `${(value as unknown[]).length} 台`
        if (name === 'productIds') return chosenName(namedOptions(products), value) || '不限'
        if (name === 'spaceIds') return chosenName(places, value) || '不限'
        return name === 'tags' && ((value as GroupTag[]).map(wordsOfTag).join('、') || '不限')
      }}
      form={form}
      draft={draft}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem of={DeviceGroupDraft} name="name" placeholder="如 走廊组" />
      <RadioItem of={DeviceGroupDraft} name="kind" options={kinds} />
      {kind === 'hand' ? (
        <Form.Item {...field(DeviceGroupDraft, 'deviceIds')} required>
          <DevicesField projectId={projectId} />
        </Form.Item>
      ) : (
        <>
          <ChoiceItem
            of={DeviceGroupDraft}
            name="productIds"
            mode="multiple"
            placeholder="不限"
            options={namedOptions(products)}
          />
          <ChoiceItem
            of={DeviceGroupDraft}
            name="spaceIds"
            mode="multiple"
            placeholder="不限，选中的位置包括它下面的"
            options={places}
          />
          <Form.Item
            {...field(DeviceGroupDraft, 'tags')}
            getValueProps={(value: GroupTag[] = []) => ({ value: value.map(keyOf) })}
            normalize={(value: string[]) => value.map(tagOf)}
            extra={<GroupPreview {...{ projectId, productIds, spaceIds, tags: chosen }} />}
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
      <NotesItem of={DeviceGroupDraft} name="description" />
    </FormDialog>
  )
}
