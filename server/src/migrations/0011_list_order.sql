DROP INDEX "action_log_time";--> statement-breakpoint
CREATE INDEX "manufacturer_time" ON "manufacturer" USING btree ("create_time","id");--> statement-breakpoint
CREATE INDEX "user_time" ON "user_account" USING btree ("create_time","id");--> statement-breakpoint
CREATE INDEX "action_log_time" ON "action_log" USING btree ("time","id");