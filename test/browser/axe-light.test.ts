import { testPages } from './axe.suite.ts'

testPages('light')
