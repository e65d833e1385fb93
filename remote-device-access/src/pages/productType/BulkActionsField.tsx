import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import AutoComplete from 'antd/es/auto-complete'
import Button from 'antd/es/button'
import Card from 'antd/es/card'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { confirmLevelText } from '@iot/shared/contract/product/productType'
import {
  ProductTypeDraft,
  TypeAction,
  type ConfirmLevel,
} from '@iot/shared/contract/product/productType.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { field } from '@iot/shared/ui/field'
import { Select } from '@iot/shared/ui/select'
import { ValueField } from '../thingModel/ValueField'
import * as styles from './actions.module.css'

const builtinActionOptions = [
  { value: 'all_on', label: 'all_on 全部打开' },
  { value: 'all_off', label: 'all_off 全部关闭' },
]
const confirmOptions = (Object.keys(confirmLevelText) as ConfirmLevel[]).map((value) => ({
  value,
  label: confirmLevelText[value],
}))

/** Edits the bulk actions of a product type; each one becomes a button. */
export function BulkActionsField({ models }: { models: ThingModel[] }) {
  const form = Form.useFormInstance()
  const settableProperties = new Map(
    models
      .flatMap(({ properties }) => properties)
      .filter(({ accessMode }) => accessMode !== 'r')
      .map((property) => [property.identifier, property]),
  )
  const functionOptions = [...settableProperties.values()].map(({ identifier, name }) => ({
    value: identifier,
    label: `${name} ${identifier}`,
  }))
  const getItemProps = (index: number, name: keyof typeof TypeAction.shape) => ({
    ...field(TypeAction, name),
    name: [index, name],
  })

  return (
    <Form.List name="actions">
      {(rows, { add, remove }, { errors }) => (
        <Flex vertical gap={12}>
          {rows.map(({ key, name: index }) => (
            <Card key={key} size="small" role="group" aria-label={`批量动作 ${index + 1}`}>
              <div className={styles.fields}>
                <Form.Item {...getItemProps(index, 'actionType')}>
                  <AutoComplete options={builtinActionOptions} placeholder="all_on" />
                </Form.Item>
                <Form.Item {...getItemProps(index, 'name')}>
                  <Input placeholder="全开" />
                </Form.Item>
                <Form.Item {...getItemProps(index, 'identifier')}>
                  <AutoComplete
                    options={functionOptions}
                    placeholder="PowerSwitch"
                    onSelect={() => form.setFieldValue(['actions', index, 'value'], undefined)}
                  />
                </Form.Item>
                <Form.Item
                  noStyle
                  shouldUpdate={(previous: ProductTypeDraft, next: ProductTypeDraft) =>
                    previous.actions?.[index]?.identifier !== next.actions?.[index]?.identifier
                  }
                >
                  {({ getFieldValue }) => (
                    <Form.Item {...getItemProps(index, 'value')}>
                      <ValueField
                        dataType={
                          settableProperties.get(
                            getFieldValue(['actions', index, 'identifier']) as string,
                          )?.dataType
                        }
                      />
                    </Form.Item>
                  )}
                </Form.Item>
                <Form.Item {...getItemProps(index, 'confirm')}>
                  <Select options={confirmOptions} />
                </Form.Item>
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={`删除批量动作 ${index + 1}`}
                  onClick={() => remove(index)}
                />
              </div>
            </Card>
          ))}
          <Button type="dashed" onClick={() => add({ confirm: 'ask' })}>
            添加批量动作
          </Button>
          <Form.ErrorList errors={errors} />
        </Flex>
      )}
    </Form.List>
  )
}
