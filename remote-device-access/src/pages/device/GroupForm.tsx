import Form from 'antd/es/form'
import { groupKindText, formatTag } from '@iot/shared/contract/device/deviceGroup'
import {
  DeviceGroup,
  DeviceGroupChange,
  DeviceGroupDraft,
  type GroupKind,
  type GroupTag,
} from '@iot/shared/contract/device/deviceGroup.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import { productApi } from '@iot/shared/contract/product/product.api'
import { DevicesField } from '@iot/shared/control/devicesField'
import { field } from '@iot/shared/ui/field'
import { FormDialog, createSaveCall } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps, usePickerOptions } from '@iot/shared/ui/useListed'
import { GroupPreview } from './GroupPreview'
import { useSpaceOptions } from './useSpaceOptions'

const kindOptions = (Object.keys(groupKindText) as GroupKind[]).map((value) => ({
  value,
  label: groupKindText[value],
}))
const sendGroup = createSaveCall(deviceGroupApi, DeviceGroupDraft, DeviceGroupChange)
/** Encodes a tag as the value of a select option. */
const encodeTag = (tag: GroupTag) => JSON.stringify([tag.key, tag.value])
function decodeTag(text: string): GroupTag {
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
  const spaceOptions = useSpaceOptions(projectId)
  const { data: products } = usePickerOptions(productApi.list)
  const { data: tags } = usePickerOptions(deviceGroupApi.tags, { input: { projectId } })
  const blankGroup: DeviceGroupDraft = {
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
    tags: selectedTags = [],
  } = (Form.useWatch([], form) as Partial<DeviceGroupDraft> | undefined) ?? group ?? blankGroup
  const multipleSelectProps = {
    mode: 'multiple',
    showSearch: { optionFilterProp: 'label' },
  } as const

  return (
    <FormDialog<DeviceGroupDraft>
      title={group ? '编辑设备组' : '新建设备组'}
      schema={DeviceGroup}
      initial={group ?? blankGroup}
      send={sendGroup}
      show={(name, value) => {
        if (name === 'kind') return groupKindText[value as GroupKind]
        if (name === 'deviceIds') return `${(value as unknown[]).length} 台`
        if (name === 'productIds') return getSelectedName(toRowOptions(products), value) || '不限'
        if (name === 'spaceIds') return getSelectedName(spaceOptions, value) || '不限'
        return name === 'tags' && ((value as GroupTag[]).map(formatTag).join('、') || '不限')
      }}
      form={form}
      draft={draft}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem of={DeviceGroupDraft} name="name" placeholder="如 走廊组" />
      <RadioItem of={DeviceGroupDraft} name="kind" options={kindOptions} />
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
            options={toRowOptions(products)}
          />
          <ChoiceItem
            of={DeviceGroupDraft}
            name="spaceIds"
            mode="multiple"
            placeholder="不限，选中的位置包括它下面的"
            options={spaceOptions}
          />
          <Form.Item
            {...field(DeviceGroupDraft, 'tags')}
            getValueProps={(value: GroupTag[] = []) => ({ value: value.map(encodeTag) })}
            normalize={(value: string[]) => value.map(decodeTag)}
            extra={<GroupPreview {...{ projectId, productIds, spaceIds, tags: selectedTags }} />}
          >
            <Select
              {...multipleSelectProps}
              placeholder={tags?.length === 0 ? '当前项目的设备没有上报标签' : '不限'}
              {...buildSelectProps(
                tags &&
                  [...new Map([...tags, ...selectedTags].map((tag) => [encodeTag(tag), tag]))].map(
                    ([value, tag]) => ({ value, label: formatTag(tag) }),
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
