DROP INDEX "login_log_user";--> statement-breakpoint
ALTER TABLE "error_log" ADD COLUMN "returned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "login_log_ok" ON "login_log" USING btree ("ok","time","id");--> statement-breakpoint
CREATE INDEX "login_log_session" ON "login_log" USING btree ("session_id");