import { testPages } from './axe.suite.ts'

testPages('dark')
