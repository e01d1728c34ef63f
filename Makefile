# Thin on purpose: each target is a line or two into Scripts/. `make` lists them.
.PHONY: help run test lint format docs frontmail-package bench bench-imap fuzz nightly clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' $(MAKEFILE_LIST) | expand -t 24

run: ## install what is missing, build, and watch a message being sent over TLS
	@Scripts/bootstrap
	@swift build
	@Scripts/run

test: ## install what is missing, build, and run all tests with real servers
	@Scripts/test

lint: ## check formatting and the layering of imports
	@swift format lint --strict --recursive $(wildcard Sources Tests Snippets Benchmarks/Sources Benchmarks/Package.swift Package.swift)
	@Scripts/check-layering --self-test
	@Scripts/check-layering

format: ## format all sources in place
	@swift format --in-place --recursive $(wildcard Sources Tests Snippets Benchmarks/Sources Benchmarks/Package.swift Package.swift)

docs: ## make the reference as a web site in .build/docs
	@Scripts/bootstrap
	@Scripts/docs

frontmail-package: ## export the Frontmail SDK as a package of its own, built and tested in .build/frontmail
	@Scripts/frontmail-package

bench: ## build and run the benchmarks
	@Scripts/bootstrap --tests
	@Scripts/bench

bench-imap: ## build and run the benchmarks of IMAP (MAKEMAIL=a program that makes messages)
	@Scripts/bootstrap --tests
	@Scripts/bench-imap

fuzz: ## run each fuzz target for a minute (SECONDS=60)
	@Scripts/bootstrap
	@Scripts/fuzz $(or $(SECONDS),60)

nightly: test lint ## everything that takes long: tests, lint, then ten minutes for each fuzz target
	@$(MAKE) fuzz SECONDS=600

clean: ## remove what builds have made here
	@rm -rf .build Benchmarks/.build
