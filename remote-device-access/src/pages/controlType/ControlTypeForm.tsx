import Form from 'antd/es/form'
import { standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { capabilityText, widgetText } from '@iot/shared/contract/product/controlType'
import {
  ControlType,
  ControlTypeChange,
  ControlTypeDraft,
} from '@iot/shared/contract/product/controlType.schema'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall, fullRowStyle } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NotesItem, StatusItem, TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { usePickerOptions } from '@iot/shared/ui/useListed'

const blankControlType: ControlTypeDraft = {
  name: '',
  code: '',
  capability: 'SWITCH',
  functions: [],
  widget: 'switch',
  description: '',
  status: 'enabled',
}
const optionTexts: Record<string, string> = { ...capabilityText, ...widgetText }

type ControlTypeFormProps = {
  type?: ControlType
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function ControlTypeForm({ type, onSaved, onClose }: ControlTypeFormProps) {
  const { data: library } = usePickerOptions(standardCategoryApi.list)
  // Any identifier is allowed; those of the standard library are suggested by name.
  const functionLabels = new Map(
    (library ?? [])
      .flatMap(({ model }) => model.properties)
      .map(({ identifier, name }) => [identifier, `${name} ${identifier}`]),
  )
  return (
    <FormDialog<ControlTypeDraft>
      title={type ? '编辑控制类型' : '新建控制类型'}
      schema={ControlType}
      initial={type ?? blankControlType}
      send={createSaveCall(controlTypeApi, ControlTypeDraft, ControlTypeChange)}
      show={(_, value) => optionTexts[String(value)]}
      draft="controlType"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem
          of={ControlTypeDraft}
          name="name"
          check={uniqueCheck('controlType', 'name', type?.id)}
          autoFocus
        />
        <TextItem
          of={ControlTypeDraft}
          name="code"
          check={type ? undefined : uniqueCheck('controlType', 'code')}
          extra={!type && '保存后不能修改'}
          disabled={type !== undefined}
        />
        <ChoiceItem
          of={ControlTypeDraft}
          name="capability"
          options={toTextOptions(capabilityText)}
        />
        <ChoiceItem of={ControlTypeDraft} name="widget" options={toTextOptions(widgetText)} />
        <Form.Item
          {...field(ControlTypeDraft, 'functions')}
          style={fullRowStyle}
          extra="产品的功能定义须包含这些标识符"
        >
          <Select
            mode="tags"
            tokenSeparators={[' ', ',', '，', '、']}
            showSearch={{ optionFilterProp: 'label' }}
            optionLabelProp="value"
            placeholder="选择或输入标识符，如 PowerSwitch"
            options={[...functionLabels].map(([value, label]) => ({ value, label }))}
            {...(!library && { notFoundContent: '还没有取到选项' })}
          />
        </Form.Item>
        <StatusItem of={ControlTypeDraft} name="status" />
        <NotesItem of={ControlTypeDraft} name="description" style={fullRowStyle} />
      </FormGroup>
    </FormDialog>
  )
}
