import AutoComplete from 'antd/es/auto-complete'
import Form from 'antd/es/form'
import { Icon, IconChange, IconDraft } from '@iot/shared/contract/product/icon.schema'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { iconLimits, iconVariants } from '@iot/shared/contract/product/iconName'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { StatusItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { uniqueCheck } from '@iot/shared/ui/taken'

const blankIcon: IconDraft = {
  name: '',
  code: '',
  group: '',
  on: '',
  off: '',
  offline: '',
  fault: '',
  tags: [],
  status: 'enabled',
}

type IconFormProps = {
  icon?: Icon
  /** Existing group names are offered as suggestions. */
  groups: string[]
  tags: string[]
  onSaved: (row: unknown) => void
  onClose: () => void
}
const toValueOptions = (values: string[]) => values.map((value) => ({ value }))

export default function IconForm({ icon, groups, tags, onSaved, onClose }: IconFormProps) {
  const [form] = Form.useForm<IconDraft>()
  return (
    <FormDialog<IconDraft>
      title={icon ? '编辑图标' : '新建图标'}
      schema={Icon}
      initial={icon ?? blankIcon}
      send={createSaveCall(iconApi, IconDraft, IconChange)}
      form={form}
      draft="icon"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={IconDraft}
          name="name"
          check={uniqueCheck('icon', 'name', icon?.id)}
          autoFocus
        />
        <TextItem
          of={IconDraft}
          name="code"
          check={icon ? undefined : uniqueCheck('icon', 'code')}
          extra={!icon && '保存后不能修改'}
          disabled={icon !== undefined}
        />
        <Form.Item {...field(IconDraft, 'group')}>
          <AutoComplete options={toValueOptions(groups)} placeholder="如 照明" />
        </Form.Item>
        <Form.Item {...field(IconDraft, 'tags')}>
          <Select mode="tags" options={toValueOptions(tags)} placeholder="输入后按回车" />
        </Form.Item>
        <StatusItem of={IconDraft} name="status" />
      </FormGroup>
      <FormGroup title="各状态的图标（SVG、PNG 或 WebP，不超过 200 KB；没有上传的用正常图标）">
        {iconVariants.map((variant) => (
          <Form.Item key={variant} {...field(IconDraft, variant)}>
            <ImageField purpose="icon" limits={iconLimits} />
          </Form.Item>
        ))}
      </FormGroup>
    </FormDialog>
  )
}
