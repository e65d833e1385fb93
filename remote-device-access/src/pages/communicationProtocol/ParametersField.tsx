import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import Button from 'antd/es/button'
import Checkbox from 'antd/es/checkbox'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { parameterTypeText } from '@iot/shared/contract/product/communicationProtocol'
import { Parameter } from '@iot/shared/contract/product/communicationProtocol.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { Select } from '@iot/shared/ui/select'
import * as styles from './parameters.module.css'

const parameterTypeOptions = toTextOptions(parameterTypeText)
const blankParameter: Partial<Parameter> = {
  type: 'text',
  required: true,
  default: '',
  secret: false,
}

/** Edits the parameters that each device needs for a protocol, one per line. */
export function ParametersField() {
  const getItemProps = (index: number, name: keyof typeof Parameter.shape) => ({
    ...field(Parameter, name),
    name: [index, name],
  })
  return (
    <Form.List name="parameters">
      {(rows, { add, remove }, { errors }) => (
        <Flex vertical gap={4}>
          {rows.map(({ key, name: index }) => (
            <div key={key} className={styles.line} role="group" aria-label={`参数 ${index + 1}`}>
              <Form.Item {...getItemProps(index, 'key')}>
                <Input placeholder="slave" />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'label')}>
                <Input placeholder="从站地址" />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'type')}>
                <Select options={parameterTypeOptions} />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'default')}>
                <Input />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'required')} valuePropName="checked">
                <Checkbox />
              </Form.Item>
              <Form.Item {...getItemProps(index, 'secret')} valuePropName="checked">
                <Checkbox />
              </Form.Item>
              <Button
                type="text"
                danger
                icon={<DeleteOutlined />}
                aria-label={`删除参数 ${index + 1}`}
                onClick={() => remove(index)}
              />
            </div>
          ))}
          <Button type="dashed" onClick={() => add(blankParameter)}>
            添加参数
          </Button>
          <Form.ErrorList errors={errors} />
        </Flex>
      )}
    </Form.List>
  )
}
